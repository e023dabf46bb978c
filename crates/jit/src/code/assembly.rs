//! From a form to functions in memory.

use super::host::{Code, Helper};
use super::maker::{Groups, Maker};
use super::{Constants, Entry, Jit};
use cranelift_codegen::Context;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Signature, Type};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable, Flags};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, ModuleResult, default_libcall_names};
use packed::{Agent, Edge, Packed, Then};
use std::sync::Mutex;
use std::time::Duration;
use system::Word;

/// Moves of one state there may be: more would take more room than they are worth.
const MOVES_MAX: usize = 1 << 16;

/// Addresses for all functions of a form, which cost nothing until they are used. Side by side:
/// they call each other by jumps of at most 128 MB on some machines, and tables of a search
/// may lie between any two addresses that are asked for one by one.
const CODE_BYTES_MAX: usize = 64 << 20;

/// A module in the making.
pub(crate) struct Assembly<'a> {
    packed: &'a Packed,
    module: JITModule,
    functions: Functions,
    constants: Constants,
    /// Kept from function to function.
    context: Context,
    builder: FunctionBuilderContext,
}

/// What code can call.
pub(crate) struct Functions {
    helpers: Vec<FuncId>,
    /// What an agent does by itself, and what it takes if it is ever asked to.
    agents: Vec<FuncId>,
    pub(crate) takers: Vec<Option<FuncId>>,
    /// What follows moves of an agent that go on, if there are any.
    pub(crate) followers: Vec<Option<FuncId>>,
    all: FuncId,
}

impl Functions {
    pub(crate) fn helper(&self, helper: Helper) -> FuncId {
        self.helpers[helper as usize]
    }

    fn declare(packed: &Packed, module: &mut JITModule) -> ModuleResult<Self> {
        let (asks, taking) = (signature(module, &[I64; 4]), signature(module, &[I64; 5]));
        let following = signature(module, &[I64; 2]);
        let mut declare = |name: String, signature: &Signature| {
            module.declare_function(&name, Linkage::Local, signature)
        };
        let mut agents = Vec::new();
        let (mut takers, mut followers) = (Vec::new(), Vec::new());
        for i in 0..packed.agents.len() {
            let takes = |edge: &Edge| matches!(&edge.then, Then::Offered(to) if to.contains(&i));
            let is_asked = packed.edges().any(|(_, edge)| takes(edge));
            agents.push(declare(format!("agent{i}"), &asks)?);
            takers.push(is_asked.then(|| declare(format!("taker{i}"), &taking)).transpose()?);
            let goes_on = packed.edges().any(|(by, edge)| by == i && edge.then == Then::GoesOn);
            let follower = goes_on.then(|| declare(format!("follower{i}"), &following));
            followers.push(follower.transpose()?);
        }
        let all = declare("all".to_owned(), &asks)?;
        let mut helpers = Vec::new();
        for helper in Helper::ALL {
            let mut signature = signature(module, helper.parameters());
            signature.returns.clear();
            helpers.push(module.declare_function(helper.name(), Linkage::Import, &signature)?);
        }
        Ok(Self { helpers, agents, takers, followers, all })
    }
}

/// The host's instruction set, if there is machine code for it.
fn isa() -> Option<OwnedTargetIsa> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    let wanted = [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
        ("enable_verifier", verify),
    ];
    for (name, value) in wanted {
        flags.set(name, value).ok()?;
    }
    let isa = cranelift_native::builder().ok()?.finish(Flags::new(flags)).ok()?;
    (isa.pointer_bits() == 64).then_some(isa)
}

/// Pointers and numbers in, a pointer out.
fn signature(module: &JITModule, parameters: &[Type]) -> Signature {
    let mut signature = module.make_signature();
    signature.params.extend(parameters.iter().map(|of| AbiParam::new(*of)));
    signature.returns.push(AbiParam::new(I64));
    signature
}

impl<'a> Assembly<'a> {
    pub(crate) fn new(packed: &'a Packed) -> Option<Self> {
        let mut builder = JITBuilder::with_isa(isa()?, default_libcall_names());
        for helper in Helper::ALL {
            builder.symbol(helper.name(), helper.address());
        }
        let arena = ArenaMemoryProvider::new_with_size(CODE_BYTES_MAX).ok()?;
        builder.memory_provider(Box::new(arena));
        let mut module = JITModule::new(builder);
        Some(Self {
            packed,
            functions: Functions::declare(packed, &mut module).ok()?,
            constants: Constants::default(),
            context: module.make_context(),
            builder: FunctionBuilderContext::new(),
            module,
        })
    }

    /// Makes all functions, as long as there is time.
    pub(crate) fn finish(mut self, lasts: &dyn Fn() -> bool) -> Option<Jit> {
        let most: Vec<usize> = (0..self.packed.agents.len()).map(|i| self.packed.most(i)).collect();
        let most_of_all: usize = most[..self.packed.movers()].iter().sum();
        if most_of_all > MOVES_MAX {
            return None;
        }
        let mut number = 0;
        for (i, agent) in self.packed.agents.iter().enumerate() {
            if !lasts() {
                return None;
            }
            let (own, taken) = numbered(agent, &mut number);
            self.function(self.functions.agents[i], |maker| maker.agent((i, agent.at), &own))
                .ok()?;
            if let Some(taker) = self.functions.takers[i] {
                self.function(taker, |maker| maker.agent((i, agent.at), &taken)).ok()?;
            }
            if let Some(follower) = self.functions.followers[i] {
                self.function(follower, |maker| maker.follower(agent, &own)).ok()?;
            }
        }
        self.all().ok()?;
        self.module.finalize_definitions().ok()?;
        let entry = |id: FuncId, most: usize| Entry { code: code(&self.module, id), most };
        let agents = self.functions.agents.iter().zip(most);
        Some(Jit {
            width: self.packed.width,
            offer: self.packed.offer(),
            edges: number as usize,
            none_left_out: vec![0; (number as usize).div_ceil(Word::BITS as usize)].into(),
            agents: agents.map(|(id, most)| entry(*id, most)).collect(),
            all: entry(self.functions.all, most_of_all),
            compile_time: Duration::ZERO,
            _constants: self.constants,
            module: Mutex::new(Some(self.module)),
        })
    }

    /// Makes one function.
    fn function(&mut self, id: FuncId, make: impl FnOnce(&mut Maker<'_>)) -> ModuleResult<()> {
        let declared = self.module.declarations().get_function_decl(id);
        self.context.func.signature = declared.signature.clone();
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let (functions, constants) = (&self.functions, &mut self.constants);
        let width = self.packed.width;
        let mut maker = Maker::new(builder, &mut self.module, functions, constants, width);
        make(&mut maker);
        maker.finish();
        self.module.define_function(id, &mut self.context)?;
        self.module.clear_context(&mut self.context);
        Ok(())
    }

    /// The function that asks all agents but a claim.
    fn all(&mut self) -> ModuleResult<()> {
        let agents = self.functions.agents[..self.packed.movers()].to_vec();
        self.function(self.functions.all, |maker| maker.everybody(&agents))
    }
}

/// The groups of all places with the number of their first edge, as [`Packed::edges`]
/// counts them: what the agent does by itself, and what it takes.
fn numbered<'p>(agent: &'p Agent, number: &mut u32) -> (Vec<Groups<'p>>, Vec<Groups<'p>>) {
    let mut numbered = |groups: &'p [Vec<Edge>]| {
        let first = *number;
        *number += groups.iter().map(|group| group.len() as u32).sum::<u32>();
        Groups { groups, first }
    };
    let places = agent.places.iter();
    places.map(|place| (numbered(&place.groups), numbered(&place.takes))).unzip()
}

fn code(module: &JITModule, id: FuncId) -> Code {
    let address = module.get_finalized_function(id);
    // SAFETY: the function was declared and made with the parameters, the result and the
    // host's calling convention that `Code` says.
    unsafe { std::mem::transmute::<*const u8, Code>(address) }
}
