//! Variables and what fits into them.

use base::{Name, Span, define_id};

define_id!(
    /// A variable: of the program, or of one proctype.
    VariableId, "v";
    /// A set of symbolic constants.
    MtypeId, "mtype"
);

/// The type of one scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// `bit`: one bit. As an array element SPIN keeps a whole byte.
    Bit,
    /// `bool`: the same, shown as `true` or `false`.
    Bool,
    /// `byte`: 8 bits without sign.
    Byte,
    /// `pid`: 8 bits, 16 once there are more than 255 processes.
    Pid,
    /// A symbolic constant of this set.
    Mtype(MtypeId),
    /// The number of a channel, 0 for none.
    Chan,
    /// 16 bits with sign.
    Short,
    /// 32 bits with sign.
    Int,
    /// So many bits without sign, 1 to 31.
    Unsigned(u8),
}

impl Scalar {
    /// `value` cut to this type, as an assignment, a send or a parameter does.
    /// An array of bits keeps bytes: `in_array` says that it is one.
    pub fn cut(self, value: i32, in_array: bool) -> i32 {
        match self {
            Scalar::Bit | Scalar::Bool if !in_array => value & 1,
            Scalar::Bit | Scalar::Bool | Scalar::Byte | Scalar::Mtype(_) => value & 255,
            // Wide enough for the 16 bits of a program with many processes or
            // channels; the executor cuts to 8 until it knows better.
            Scalar::Pid | Scalar::Chan => value & 0xffff,
            Scalar::Short => i32::from(value as i16),
            Scalar::Int => value,
            Scalar::Unsigned(bits) => value & ((1u32 << bits) - 1) as i32,
        }
    }
}

/// A scalar variable, or an array of them. The leaves of a structure are
/// variables of their own, named `s.a.b`.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// As the user refers to it, indices left out.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// The type of each element.
    pub scalar: Scalar,
    /// How many elements; 1 for a scalar.
    pub length: u32,
    /// Whether it was declared as an array (an array of one is one too).
    pub is_array: bool,
    /// Its value when its process, or the program, is created.
    pub initial: Initial,
    /// `hidden`: not part of the state.
    pub hidden: bool,
    /// Nothing reads this global, so what is stored to it is dropped and it is no
    /// part of the state. Made by [`reduce`](crate::reduce()).
    pub unread: bool,
    /// The type of the channel it is declared with, if it is.
    pub channel: Option<ChannelType>,
}

/// The value a variable is created with.
#[derive(Clone, PartialEq, Debug)]
pub enum Initial {
    /// Zero.
    Zero,
    /// The expression, evaluated at creation, for every element.
    Value(crate::Expr),
    /// One constant per element; the rest, if fewer, is zero.
    List(Vec<i32>),
    /// A new channel per element.
    Channel(ChannelType),
    /// The argument with this index (parameters of a proctype).
    Argument(usize),
}

/// What a channel carries.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ChannelType {
    /// Slots; 0 is a rendezvous.
    pub capacity: u32,
    /// The type of each field, structures flattened.
    pub fields: Vec<Scalar>,
}

/// A set of symbolic constants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MtypeSet {
    /// Its name; none for plain `mtype`.
    pub name: Option<Name>,
    /// The constants with their numbers.
    pub constants: Vec<(Name, i32)>,
}
