//! The operators of expressions, with their one meaning: 32 bits with sign. What C leaves
//! undefined is what the usual machine does.

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `!`
    Not,
    /// `~`
    Complement,
}

impl UnaryOp {
    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Negate => "-",
            UnaryOp::Not => "!",
            UnaryOp::Complement => "~",
        }
    }

    /// What it makes of a value.
    pub fn apply(self, a: i32) -> i32 {
        match self {
            UnaryOp::Negate => a.wrapping_neg(),
            UnaryOp::Not => i32::from(a == 0),
            UnaryOp::Complement => !a,
        }
    }
}

/// Declares the operators with two operands, each with its symbol and its strength.
macro_rules! binary_operators {
    ($($name:ident $symbol:literal $strength:literal)*) => {
        /// Operators with two operands. Comparisons give 0 or 1; shifts use five bits of
        /// their distance, to the right with sign; `i32::MIN / -1` wraps.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[expect(missing_docs, reason = "the names say it; `symbol` spells them")]
        pub enum BinaryOp {
            $($name,)*
        }

        impl BinaryOp {
            /// The operator written like this.
            pub fn from_symbol(symbol: &str) -> Option<Self> {
                [$(Self::$name),*].into_iter().find(|op| op.symbol() == symbol)
            }

            /// As written.
            pub fn symbol(self) -> &'static str {
                match self { $(Self::$name => $symbol,)* }
            }

            /// How tightly it binds; higher is tighter. All bind to the left.
            pub fn strength(self) -> u8 {
                match self { $(Self::$name => $strength,)* }
            }
        }
    };
}

// Between 2 and 4 are the operators that only formulas have.
binary_operators! {
    Or "||" 1
    And "&&" 2
    BitOr "|" 4
    BitXor "^" 5
    BitAnd "&" 6
    Equal "==" 7
    NotEqual "!=" 7
    Less "<" 8
    LessEqual "<=" 8
    Greater ">" 8
    GreaterEqual ">=" 8
    ShiftLeft "<<" 9
    ShiftRight ">>" 9
    Add "+" 10
    Subtract "-" 10
    Multiply "*" 11
    Divide "/" 11
    Remainder "%" 11
}

impl BinaryOp {
    /// Its value, both operands known; none for a division by zero.
    pub fn apply(self, a: i32, b: i32) -> Option<i32> {
        Some(match self {
            BinaryOp::Or => i32::from(a != 0 || b != 0),
            BinaryOp::And => i32::from(a != 0 && b != 0),
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::BitAnd => a & b,
            BinaryOp::Equal => i32::from(a == b),
            BinaryOp::NotEqual => i32::from(a != b),
            BinaryOp::Less => i32::from(a < b),
            BinaryOp::LessEqual => i32::from(a <= b),
            BinaryOp::Greater => i32::from(a > b),
            BinaryOp::GreaterEqual => i32::from(a >= b),
            BinaryOp::ShiftLeft => a.wrapping_shl(b as u32),
            BinaryOp::ShiftRight => a.wrapping_shr(b as u32),
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Subtract => a.wrapping_sub(b),
            BinaryOp::Multiply => a.wrapping_mul(b),
            BinaryOp::Divide if b != 0 => a.wrapping_div(b),
            BinaryOp::Remainder if b != 0 => a.wrapping_rem(b),
            BinaryOp::Divide | BinaryOp::Remainder => return None,
        })
    }

    /// Its value if the left operand alone decides: the right one is then not evaluated.
    pub fn decided(self, a: i32) -> Option<i32> {
        match self {
            BinaryOp::And if a == 0 => Some(0),
            BinaryOp::Or if a != 0 => Some(1),
            _ => None,
        }
    }

    /// Whether it compares.
    pub fn is_comparison(self) -> bool {
        matches!(self.strength(), 7 | 8)
    }

    /// Whether it works on the single bits of its operands.
    pub fn is_bitwise(self) -> bool {
        matches!(self.strength(), 4..=6 | 9)
    }
}
