//! The texts that experiments are made on, as far as they can be published: the papers'
//! own protocols, and stand-ins for those that were never printed.

use crate::lab::Text;

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident = $folder:literal / $file:literal;)*) => {
        $(
            $(#[$doc])*
            pub(crate) const $name: Text<'static> = Text {
                name: $file,
                text: include_str!(concat!("../../../", $folder, "/", $file)),
            };
        )*
    };
}

texts! {
    /// The alternating bit protocol of 1987 with each of its four assertions, and without.
    ABP_1 = "corpus/papers" / "abp_a1.argos";
    ABP_2 = "corpus/papers" / "abp_a2.argos";
    ABP_3 = "corpus/papers" / "abp_a3.argos";
    ABP_4 = "corpus/papers" / "abp_a4.argos";
    ABP = "corpus/papers" / "abp.argos";
    /// The example of 1985 with its two assertions, and without.
    ABC_1 = "corpus/papers" / "abc_a1.argos";
    ABC_2 = "corpus/papers" / "abc_a2.argos";
    ABC = "corpus/papers" / "abc.argos";
    /// The session protocol of 1985.
    NBS = "corpus/papers" / "nbs.argos";
    /// The redundant receiver of 1987.
    SEVEN_STATES = "corpus/papers" / "min_7to4.argos";
    /// The protocols of 1984.
    SETUP = "corpus/papers" / "b84_setup.argos";
    DELETION = "corpus/papers" / "b84_deletion.argos";
    COUNTERS = "corpus/papers" / "b84_counters.argos";
    /// Stand-ins.
    DATA_SWITCH = "examples" / "data_switch.argos";
    X21 = "examples" / "x21.argos";
    MULOG3 = "examples" / "mulog3.pml";
    URP = "examples" / "urp.pml";
    /// Nobody measured it in the papers; it has a useful size.
    SLIDING_WINDOW = "examples" / "sliding_window.argos";
}

/// Models of the SPIN package that the paper of 1995 measured, by the ends of their paths.
pub(crate) const DTP: &str = "dtp.pml";
pub(crate) const PFTP: &str = "LTL/pftp.pml";

/// What to say wherever a stand-in was measured.
pub(crate) const DATA_SWITCH_IS_OURS: &str = "the data switch of the papers was never published; measured is a stand-in of its size \
     (examples/data_switch.argos), so compare shapes, not numbers";

/// The data switch with fewer texts on their way: so many states that everything can be
/// searched. With one slot for each channel, 16,178 states for one text and 158,915 for two.
pub(crate) fn data_switch(texts: u32) -> String {
    DATA_SWITCH.text.replace("#define TEXTS 4", &format!("#define TEXTS {texts}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_switch_can_be_made_smaller() {
        assert!(data_switch(2).contains("#define TEXTS 2\n"));
    }
}
