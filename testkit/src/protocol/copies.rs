//! Tiny random Argos models with several copies of one process, which nobody tells apart, or hardly:
//! each has a channel, a message and a variable of its own beside what all share. A few break the rules.

use crate::Random;

/// A model, and whether something in it may tell the copies apart.
#[derive(Clone, Debug)]
pub struct Copies {
    /// Its text.
    pub text: String,
    /// Something was put in that may tell copies apart.
    pub is_twisted: bool,
}

/// A model. In the text of a copy `@` stands for its number.
pub fn copies(random: &mut Random) -> Copies {
    let count = 2 + random.below(3usize);
    let is_twisted = random.one_in(8);
    let each = |text: &str| -> Vec<String> {
        (1..=count).map(|number| text.replace('@', &number.to_string())).collect()
    };
    let capacity = 1 + random.below(2usize);
    let mut text = format!("channel req[{capacity}], out[1];\nvar g;\n");
    for line in each("channel in@[1]; var v@;\n") {
        text.push_str(&line);
    }
    if is_twisted && random.one_in(3) {
        text = text.replace("channel in2[1]", "channel in2[1] = { go }");
    }
    let mut body = sequence(random, 2, WORKER);
    if is_twisted {
        let twist = random.one_of(&["g = @", "(g == @)", "req!ask(@)", "in1!go"]);
        body = format!("{body}; {twist}");
    }
    let worker = match random.one_in(3) {
        true => body,
        false => format!("do :: {body} od"),
    };
    for line in each(&format!("proc w@ {{ var x; {worker} }}\n")) {
        text.push_str(&line);
    }
    if random.chance(70) {
        text.push_str(&format!("proc server {{ var y; {} }}\n", server(random, &each)));
    }
    if random.one_in(3) {
        text.push_str(random.one_of(&[
            "assert { do :: out!done od }\n",
            "assert { out!done; out!done }\n",
            "assert { do :: req!ask; out!done od }\n",
        ]));
    }
    Copies { text, is_twisted }
}

const WORKER: &[&str] = &[
    "req!ask",
    "req!ask",
    "req!hi@",
    "req!hi@",
    "req!ask(x)",
    "in@?go",
    "in@?go",
    "in@!go",
    "in@?default",
    "in@?timeout",
    "req?ask",
    "out!done",
    "g = (g + 1) % 3",
    "(g == 1)",
    "(g != 2)",
    "v@ = g",
    "v@ = 1 - v@",
    "(v@ == 0)",
    "x = 1 - x",
    "x = v@ % 2",
    "(x == 0)",
    "g = 2 / (2 - x)",
];

fn sequence(random: &mut Random, depth: usize, pool: &[&str]) -> String {
    let length = 1 + random.below(3usize);
    let statement = |_| match depth > 0 && random.one_in(4) {
        true => {
            let options = 1 + random.below(2usize);
            let option = |_| format!(" :: {}", sequence(random, depth - 1, pool));
            let options: String = (0..options).map(option).collect();
            format!("if{options} fi")
        }
        false => random.one_of(pool).to_owned(),
    };
    (0..length).map(statement).collect::<Vec<_>>().join("; ")
}

/// One who answers each in his channel, knows them by message, or only listens.
fn server(random: &mut Random, each: &dyn Fn(&str) -> Vec<String>) -> String {
    let listens = random.one_of(&["req?ask", "req?ask(y)", "out?done", "(g == 0)", "req?default"]);
    let answers = random.one_of(&[
        "req?hi@; in@!go",
        "req?hi@ -> g = 0",
        "in@!go",
        "req?hi@; v@ = 1; in@!go",
        "req?hi@; do :: in@!go -> break :: out?done od",
        "(v@ == 1); v@ = 0",
    ]);
    let mut options = each(&format!(" :: {answers}"));
    options.push(format!(" :: {listens}"));
    if random.one_in(3) {
        options.push(" :: out?done".to_owned());
    }
    format!("do{} od", options.concat())
}
