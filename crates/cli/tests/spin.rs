//! `argos spin` beside SPIN itself: the same figures, the same trails, the same
//! lists of steps, in both directions. Needs `spin` and a C compiler.

#[path = "spin/cycles.rs"]
mod cycles;
#[path = "spin/random.rs"]
mod random;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::argos::{Run, run_in};

/// Small models of the corpus whose first error SPIN words as we do.
const OF_THE_CORPUS: [&str; 8] = [
    "m32_never.pml",
    "m39_remote.pml",
    "m46_assert_continue.pml",
    "m59_sender_full.pml",
    "m62_two_rv_recv.pml",
    "m82_dproctype.pml",
    "m92_rv_select.pml",
    "m115_por_misses_pid.pml",
];

/// Of these the last step fails in a way that SPIN's simulator warns of and then
/// executes otherwise than its verifier: replays are not compared.
const FAILING: [&str; 3] = ["m70_rv_in_dstep.pml", "m86_nochan.pml", "m87_arity.pml"];

fn run(program: &str, arguments: &[&str], folder: &Path) -> Run {
    Run::of(Command::new(program).args(arguments).current_dir(folder))
}

fn spin(arguments: &[&str], folder: &Path) -> Run {
    run("spin", arguments, folder)
}

fn argos(arguments: &[&str], folder: &Path) -> Run {
    run_in(folder, &[&["spin"], arguments].concat())
}

/// A folder of its own with one model in it.
fn folder_with(name: &str, text: &[u8]) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("spin-{number}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the scratch directory is ours");
    fs::write(folder.join(name), text).expect("the scratch directory is ours");
    folder
}

fn models() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = fs::read_dir(here.join("tests/spin")).expect("the models of this test");
    let own = own.map(|entry| entry.expect("readable").path());
    let is_model = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "pml");
    let mut models: Vec<PathBuf> = own.filter(is_model).collect();
    let mini = here.join("../../corpus/promela/mini");
    models.extend(OF_THE_CORPUS.iter().chain(&FAILING).map(|name| mini.join(name)));
    models.sort();
    models
}

/// What two tools say differently, line by line.
fn difference(what: &str, theirs: &str, ours: &str) -> Result<(), String> {
    // SPIN shows a question `q?[m]` as if it were a receive, and looks at file times.
    let other = |line: &&str| line.contains("[Recv]") || line.contains("is newer than");
    let theirs: Vec<&str> = theirs.lines().filter(|line| !other(line)).collect();
    let ours: Vec<&str> = ours.lines().collect();
    let pairs = theirs.iter().zip(&ours).find(|(theirs, ours)| theirs != ours);
    match pairs {
        Some((theirs, ours)) => Err(format!("{what}:\n  spin  {theirs}\n  argos {ours}")),
        None if theirs.len() != ours.len() => {
            Err(format!("{what}: {} lines, ours {}", theirs.len(), ours.len()))
        }
        None => Ok(()),
    }
}

/// Replays a trail by both tools in all forms.
fn same_replay(folder: &Path, trail: &str, model: &str) -> Result<(), String> {
    let forms: [&[&str]; 4] =
        [&["-p", "-g", "-l", "-r", "-s"], &["-p", "-T"], &["-c"], &["-g", "-B"]];
    for form in forms {
        let arguments = [form, &["-t", "-k", trail, model]].concat();
        let (theirs, ours) = (spin(&arguments, folder), argos(&arguments, folder));
        difference(&format!("{trail} {form:?}"), &theirs.text, &ours.text)?;
        if ours.code != 1 {
            return Err(format!("{trail}: exit code {}: {}", ours.code, ours.complaints));
        }
    }
    Ok(())
}

/// Makes and runs SPIN's verifier; what it prints, and its trail if there is one.
fn verifier(folder: &Path, model: &str, flags: &[&str], macros: &[&str]) -> (String, String) {
    spin(&[flags, &["-a", model]].concat(), folder);
    run("gcc", &[&["-w", "-o", "pan"], macros, &["pan.c"]].concat(), folder);
    let said = run("./pan", &["-n", "-m100000"], folder).text;
    let trail = folder.join(format!("{model}.trail"));
    let text = fs::read_to_string(&trail).unwrap_or_default();
    let _ = fs::remove_file(trail);
    (said, text)
}

/// The lines on errors, and the figures both tools count alike.
fn facts(said: &str) -> Vec<String> {
    let wanted =
        ["pan:1:", "Search not completed", "states, stored", "states, matched", "transitions (="];
    let lines = said.lines().filter(|line| wanted.iter().any(|word| line.contains(word)));
    lines.map(str::to_owned).collect()
}

fn compare(path: &Path) -> Result<(), String> {
    let model = path.file_name().and_then(|name| name.to_str()).expect("plain names");
    let folder = folder_with(model, &fs::read(path).expect("readable"));
    let plain = ["-DSAFETY", "-DNOREDUCE"];
    let (said, trail) = verifier(&folder, model, &["-o1", "-o2", "-o3"], &plain);
    let ours = argos(&["-o1", "-o2", "-o3", "-run", "-DNOREDUCE", "-n", model], &folder);
    if facts(&said) != facts(&ours.text) || ours.code != 1 {
        let (theirs, code) = (facts(&said), ours.code);
        return Err(format!("{theirs:?}\n  argos {:?}, exit code {code}", facts(&ours.text)));
    }
    let own = fs::read_to_string(folder.join(format!("{model}.trail"))).unwrap_or_default();
    difference("trail", &trail, &own)?;
    if FAILING.contains(&model) {
        return Ok(());
    }
    same_replay(&folder, &format!("{model}.trail"), model)?;
    // What SPIN does when nobody tells it otherwise: statements are merged.
    let (_, merged) = verifier(&folder, model, &[], &["-DSAFETY"]);
    if merged.contains("-4:-4:-4") {
        fs::write(folder.join("merged.trail"), &merged).expect("the scratch directory is ours");
        same_replay(&folder, "merged.trail", model)?;
    }
    fs::remove_dir_all(folder).expect("removed");
    Ok(())
}

#[test]
fn errors_trails_and_replays_are_those_of_spin() {
    let models = models();
    assert!(models.len() >= 12, "{} models", models.len());
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(path) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(why) = compare(path) {
                wrong.lock().expect("no panic").push(format!("{}: {why}", path.display()));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), models.len(), wrong.join("\n"));
}

/// One process, one wait that does not end, something printed.
const WAITS: &str = "byte x;\nchan q = [1] of { byte };\n\
                     active proctype P() { x = 1; printf(\"x is %d\\n\", x); q?x }\n";
const FINE: &str = "byte x;\nactive proctype P() { x = 1; if :: x == 2 -> x = 3 :: else fi }\n";

#[test]
fn exit_codes_are_those_of_the_contract() {
    let folder = folder_with("m.pml", WAITS.as_bytes());
    fs::write(folder.join("fine.pml"), FINE).expect("ours");
    fs::write(folder.join("bad.pml"), "active proctype P() { x = }\n").expect("ours");
    fs::write(folder.join("ltl.pml"), format!("{FINE}ltl p {{ <>(x == 1) }}\n")).expect("ours");
    let code = |arguments: &[&str]| argos(arguments, &folder).code;
    assert_eq!(code(&["-t", "m.pml"]), 2, "no trail yet");
    assert_eq!(code(&["-a", "m.pml"]), 0);
    assert_eq!(code(&["-a", "bad.pml"]), 3);
    assert_eq!(code(&["-run", "bad.pml"]), 3);
    assert_eq!(code(&["-run", "m.pml"]), 1);
    assert_eq!(code(&["-run", "-E", "m.pml"]), 0);
    assert_eq!(code(&["--spin-exit", "-run", "m.pml"]), 0);
    assert_eq!(code(&["-run", "fine.pml"]), 0);
    assert_eq!(code(&["-run", "-m1", "fine.pml"]), 4, "cut");
    assert_eq!(code(&["-run", "-m1", "-b", "fine.pml"]), 1, "a cut is an error");
    assert_eq!(code(&["-run", "-a", "fine.pml"]), 0, "nothing is about cycles");
    assert_eq!(code(&["-run", "-l", "fine.pml"]), 0);
    assert_eq!(code(&["-run", "ltl.pml"]), 0, "as SPIN, with -a");
    assert_eq!(code(&["-run", "-safety", "ltl.pml"]), 4, "the formula is not decided");
    assert_eq!(code(&["-run", "-a", "-DSAFETY", "ltl.pml"]), 2, "all cycles and none");
    assert_eq!(code(&["-run", "-noclaim", "ltl.pml"]), 0);
    assert_eq!(code(&["-run", "-ltl", "nobody", "ltl.pml"]), 2);
    assert_eq!(code(&["-t", "m.pml"]), 1, "the trail leads to the error");
    assert_eq!(code(&["-t", "-k", "m.pml.trail", "fine.pml"]), 2, "a trail of another model");
    assert_eq!(code(&["-t", "-k", "m.pml", "m.pml"]), 2, "not a trail");
    assert_eq!(code(&["-n1", "fine.pml"]), 0);
    assert_eq!(code(&["-n1", "m.pml"]), 1);
    assert_eq!(code(&["m.pml", "fine.pml"]), 2);
    assert_eq!(code(&[]), 2);
    assert_eq!(code(&["-V"]), 0);
    assert_eq!(code(&["--help"]), 0);
}

#[test]
fn what_a_model_prints_is_shown_where_spin_shows_it() {
    let folder = folder_with("m.pml", WAITS.as_bytes());
    let text = argos(&["-n1", "m.pml"], &folder).text;
    assert!(text.starts_with("      x is 1\n      timeout\n#processes: 1\n"), "{text}");
    assert_eq!(text, spin(&["-n1", "m.pml"], &folder).text);
    let flush = argos(&["-T", "-B", "-n1", "m.pml"], &folder).text;
    assert!(flush.starts_with("x is 1\n"), "{flush}");
    assert!(!flush.contains("#processes"), "{flush}");
    assert!(!argos(&["-b", "-n1", "m.pml"], &folder).text.contains("x is"));
    let steps = run_in(&folder, &["check", "--steps", "m.pml"]);
    assert!(steps.text.contains("prints \"x is 1\\n\""), "{}", steps.text);
    let json = run_in(&folder, &["check", "--json", "m.pml"]).text;
    assert!(json.contains("\"printed\":\"x is 1\\n\""), "{json}");
}

#[test]
fn unreached_statements_are_listed_as_pan_lists_them() {
    let folder = folder_with("m.pml", FINE.as_bytes());
    let ours = argos(&["-run", "m.pml"], &folder).text;
    spin(&["-a", "-o1", "-o2", "-o3", "m.pml"], &folder);
    run("gcc", &["-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], &folder);
    let theirs = run("./pan", &[], &folder).text;
    let list = |text: &str| {
        let lines = text.lines().skip_while(|line| !line.starts_with("unreached"));
        lines.take_while(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(list(&ours), list(&theirs));
    assert!(list(&ours).len() >= 3, "{ours}");
}

#[test]
fn every_trail_of_several_errors_is_written() {
    let text = "byte x;\nactive proctype P() { do :: x < 3 -> x++; assert(x != 2); \
                assert(x != 3) :: x == 3 -> break od }\n";
    let folder = folder_with("m.pml", text.as_bytes());
    let all = argos(&["-run", "-e", "m.pml"], &folder);
    assert_eq!(all.code, 1);
    assert!(all.text.contains("errors: 2"), "{}", all.text);
    for number in ["1", "2"] {
        let arguments = ["-p", &format!("-t{number}"), "m.pml"];
        let (theirs, ours) = (spin(&arguments, &folder), argos(&arguments, &folder));
        assert_eq!(difference(number, &theirs.text, &ours.text), Ok(()));
        assert!(ours.text.contains("assertion violated"), "{}", ours.text);
    }
    let other = argos(&["-run", "-tway", "m.pml"], &folder);
    assert!(other.text.contains("pan: wrote m.pml.way"), "{}", other.text);
    let kept = argos(&["-run", "-x", "-tway", "m.pml"], &folder);
    assert!(kept.complaints.contains("was kept"), "{}", kept.complaints);
}

/// Every flag SPIN and pan know is done, noted or refused by name.
#[test]
fn no_flag_is_passed_over() {
    let folder = folder_with("m.pml", FINE.as_bytes());
    let spins = "-A -a -B -b -C -c -d -DX -EX -e -f -F -g -h -i -I -J -j1 -L -l -M -m -N -n1 -O \
                 -o1 -o2 -o3 -o4 -o5 -o6 -o7 -Pcpp -p -pp -q1 -r -s -S1 -S2 -T -UX -u3 -v -w -V \
                 -x -pgl";
    let pans = "-a -l -f -A -b -c0 -c1 -c3 -D -d -e -E -h3 -hash -i -I -J -m100 -n -Q1 -q -r -r1 \
                -C -P1 -g -S -RS7 -rhash -T -t_reverse -tx -V -v -w20 -x -bfs -bfspar -dfspar \
                -bcs -bitstate -bit -biterate3,1 -swarm3,1 -collapse -noreduce -hc -noclaim \
                -p_permute -p_rotate2 -p_reverse -safety -O2 -DNOREDUCE -DSAFETY -DNP -DNOCLAIM \
                -DBFS -DMEMLIM=100 -DVECTORSZ=2048 -DBITSTATE -DCOLLAPSE -DHC4 -DMA=20 -DNCORE=2 \
                -DREACH -DNFAIR=3 -DXUSAFE -DPRINTF -DCHECK -k2 -M4";
    for (flags, place) in [(spins, &[][..]), (pans, &["-run"])] {
        for flag in flags.split_whitespace() {
            let found = argos(&[place, &[flag, "m.pml"]].concat(), &folder);
            let known = !found.complaints.contains("is no flag");
            assert!(known && found.code != 101, "{place:?} {flag}: {}", found.complaints);
            let named = found.complaints.contains(flag);
            assert!(found.code != 2 || named, "{place:?} {flag}: {}", found.complaints);
        }
    }
    assert!(argos(&["-run", "-w20", "m.pml"], &folder).complaints.contains("-w20 has no effect"));
    assert!(argos(&["-i", "m.pml"], &folder).complaints.contains("argos sim -i"));
    let unknown = argos(&["-run", "-DFOO", "m.pml"], &folder);
    assert_eq!(unknown.code, 2);
    assert!(unknown.complaints.contains("before -run"), "{}", unknown.complaints);
    assert_eq!(argos(&["-zebra", "m.pml"], &folder).code, 2);
}

#[test]
fn macros_reach_the_model_and_the_preprocessed_text() {
    let text = "#ifdef LATE\nbyte x = N;\n#endif\nactive proctype P() { assert(x == 3) }\n";
    let folder = folder_with("m.pml", text.as_bytes());
    assert_eq!(argos(&["-run", "m.pml"], &folder).code, 3);
    assert_eq!(argos(&["-DLATE", "-DN=3", "-run", "m.pml"], &folder).code, 0);
    assert_eq!(argos(&["-D", "LATE", "-DN=4", "-run", "m.pml"], &folder).code, 1);
    assert_eq!(argos(&["-DLATE", "-DN=3", "-ULATE", "-run", "m.pml"], &folder).code, 3);
    let shown = argos(&["-I", "-DLATE", "-DN=3", "m.pml"], &folder);
    assert_eq!(shown.text, "byte x = 3;\nactive proctype P() { assert(x == 3) }\n");
}
