#!/usr/bin/env python3
# What real JAX makes of a native program: types, refusals, numbers (used by scripts/compare-with-jax).
"""Runs a native `.spmd` program under real JAX and prints what JAX says about it, as one JSON object.

The native language is Python syntax with JAX's names (see docs/language.md), so JAX itself can judge any file:

    jax_oracle.py FILE.spmd                 result types, or JAX's error and its line      (--types, the default)
    jax_oracle.py FILE.spmd --values        also result shardings after compilation, and each device's index ranges
    jax_oracle.py FILE.spmd --stablehlo     the text of jit(main).lower(...).as_text()
    jax_oracle.py FILE.spmd --hlo           the per-device program right after SPMD partitioning
    jax_oracle.py FILE.spmd --run IN OUT    run on virtual CPU devices: arrays by argument name in, out0, out1, ... out

Answer: {"ok": true, "entry", "arg_types", "result_types"} or {"ok": false, "error", "message", "line"}.
Types are spelled as jax.typeof prints them, with HLO's element type names (s32, pred) for JAX's (int32, bool).
Needs jax 0.10 or later (pip install jax). FILE may be `-`. As a module: `check(source)` answers for one text.
"""
import ast
import json
import os
import re
import sys
import traceback

FILENAME = "<spmd>"

# Element types: HLO's short name -> numpy / ml_dtypes name.
ELEMENT_TYPES = {
    "pred": "bool", "s8": "int8", "s16": "int16", "s32": "int32", "s64": "int64",
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128",
    "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "f8e4m3b11fnuz": "float8_e4m3b11fnuz",
    "f8e4m3fnuz": "float8_e4m3fnuz", "f8e5m2fnuz": "float8_e5m2fnuz", "f8e4m3": "float8_e4m3", "f8e3m4": "float8_e3m4",
    "f8e8m0fnu": "float8_e8m0fnu", "f4e2m1fn": "float4_e2m1fn", "s4": "int4", "u4": "uint4", "s2": "int2", "u2": "uint2",
}
SHORT_NAME = {long: short for short, long in ELEMENT_TYPES.items()}


# ---------------------------------------------------------------------------------------------------------------------
# Syntax: the accepted subset of Python, and the rewriting of annotations.

_STATEMENTS = (ast.FunctionDef, ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For, ast.If, ast.Expr,
               ast.Pass, ast.Import, ast.ImportFrom, ast.Assert, ast.With, ast.Break, ast.Continue)
_EXPRESSIONS = (ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict, ast.Set, ast.ListComp,
                ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Compare, ast.Call, ast.Constant, ast.JoinedStr,
                ast.FormattedValue, ast.Attribute, ast.Subscript, ast.Starred, ast.Name, ast.List, ast.Tuple, ast.Slice)
_KEYWORD = {ast.ClassDef: "class", ast.Delete: "del", ast.AsyncFunctionDef: "async def", ast.NamedExpr: ":="}
_MODULES = ("jax", "numpy", "math", "functools")


class LanguageError(SyntaxError):
    """Python that is not part of the native language."""


def _refuse(node, what):
    error = LanguageError(f"{what} is not part of the language")
    error.lineno = node.lineno
    raise error


def check_syntax(tree):
    """Raises LanguageError at the first construct outside the subset of docs/language.md."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not isinstance(node, _STATEMENTS):
            _refuse(node, f"`{_KEYWORD.get(type(node), type(node).__name__.lower())}` statement")
        if isinstance(node, ast.expr) and not isinstance(node, _EXPRESSIONS):
            _refuse(node, f"`{_KEYWORD.get(type(node), type(node).__name__.lower())}` expression")
        if isinstance(node, ast.For) and node.orelse:
            _refuse(node, "`else` of a `for`")
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] not in _MODULES:
                    _refuse(node, f"import of `{name.name}`")
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] not in _MODULES:
            _refuse(node, f"import from `{node.module}`")


def _axis_names(node):
    """The axis names in `n @ x` or `n @ (x, y)`, as an expression, or None."""
    if isinstance(node, ast.Name):
        return [ast.Constant(node.id)]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node]
    if isinstance(node, ast.Tuple):
        return [name for element in node.elts for name in (_axis_names(element) or [])]
    return None


class _Annotations(ast.NodeTransformer):
    """Makes `f32[8@x, 4]` evaluate, and turns annotations of local values into checks."""

    def __init__(self):
        self.depth = 0
        self.returns = []

    def visit_Subscript(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in ELEMENT_TYPES:
            dims = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            new = []
            for dim in dims:
                if isinstance(dim, ast.BinOp) and isinstance(dim.op, ast.MatMult) and _axis_names(dim.right):
                    axes = ast.Tuple(_axis_names(dim.right), ast.Load())
                    dim = ast.copy_location(ast.Call(ast.Name("__dim__", ast.Load()), [dim.left, axes], []), dim)
                new.append(dim)
            node.slice = ast.Tuple(new, ast.Load())
        return node

    def _checked(self, value, annotation, at, unless_entry=None):
        extra = [ast.Constant(unless_entry)] if unless_entry else []
        call = ast.Call(ast.Name("__check__", ast.Load()), [value, annotation] + extra, [])
        return ast.copy_location(call, at)

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        value = self._checked(node.value, node.annotation, node.value)
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_FunctionDef(self, node):
        outer = self.depth
        self.depth += 1
        self.returns.append(node.returns)
        self.generic_visit(node)
        self.returns.pop()
        self.depth = outer
        # Parameters are checked on entry to the function, but for the program's entry: its arguments are what they say.
        checks = []
        for argument in node.args.posonlyargs + node.args.args + node.args.kwonlyargs:
            if argument.annotation is not None:
                name = ast.copy_location(ast.Name(argument.arg, ast.Load()), argument)
                check = self._checked(name, argument.annotation, argument, None if outer else node.name)
                checks.append(ast.copy_location(ast.Expr(check), argument))
        node.body = checks + node.body
        return node

    def visit_Return(self, node):
        self.generic_visit(node)
        if self.returns and self.returns[-1] is not None and node.value is not None:
            node.value = self._checked(node.value, self.returns[-1], node.value)
        return node

    def visit_Lambda(self, node):
        self.returns.append(None)
        self.generic_visit(node)
        self.returns.pop()
        return node


def parse(source):
    """The checked and rewritten syntax tree of `source`."""
    tree = ast.parse(source, FILENAME)
    check_syntax(tree)
    return tree


def rewrite(tree):
    return ast.fix_missing_locations(_Annotations().visit(tree))


def device_count(tree):
    """How many devices the file's meshes need: read off literal mesh sizes; 8 where none can be read."""
    constants = {}

    def value(node):
        try:
            return ast.literal_eval(node)
        except ValueError:
            pass
        if isinstance(node, ast.Name):
            return constants.get(node.id)
        if isinstance(node, ast.Tuple):
            values = [value(e) for e in node.elts]
            return tuple(values) if all(isinstance(v, int) for v in values) else None
        return None

    def product(sizes):
        if isinstance(sizes, int):
            sizes = (sizes,)
        if not isinstance(sizes, (tuple, list)) or not all(isinstance(s, int) and s > 0 for s in sizes):
            return 0
        total = 1
        for size in sizes:
            total *= size
        return total

    reshaped, made = 0, 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            constants.setdefault(node.targets[0].id, value(node.value))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "make_mesh" and node.args:
            made = max(made, product(value(node.args[0])))
        if name == "reshape" and isinstance(node.func, ast.Attribute) and "devices" in ast.dump(node.func.value):
            sizes = node.args[0] if len(node.args) == 1 else ast.Tuple(node.args, ast.Load())
            reshaped = max(reshaped, product(value(sizes)))
    return reshaped or max(made, 8)


# ---------------------------------------------------------------------------------------------------------------------
# JAX and the names a file sees. JAX is imported late: the device count must be known first.

jax = None


def start_jax(devices):
    """Imports JAX with `devices` virtual CPU devices (only the first call decides)."""
    global jax
    if jax is not None:
        return
    flag = f"--xla_force_host_platform_device_count={devices}"
    os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") + " " + flag).strip()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import warnings
    warnings.simplefilter("ignore")
    import jax as imported
    imported.config.update("jax_traceback_filtering", "off")
    jax = imported


class Dim:
    """One dim of a type text, `8@x` or `8@(x,y)`."""

    def __init__(self, size, axes):
        self.size, self.axes = size, tuple(axes)


class ArrayType:
    """`f32[8@x,4]` or `f32[8,4] @ P('x')`: element type, sizes, and a spec, a NamedSharding or None."""

    def __init__(self, dtype, shape, spec=None, varying=None):
        self.dtype, self.shape, self.spec, self.varying = dtype, tuple(shape), spec, varying

    def __matmul__(self, spec):
        if self.spec is not None:
            raise TypeError("a type can be given its sharding only once")
        if not isinstance(spec, (jax.sharding.PartitionSpec, jax.sharding.NamedSharding)):
            raise TypeError(f"the right side of `@` in a type must be P(...) or NamedSharding(...), got {spec!r}")
        return ArrayType(self.dtype, self.shape, spec, self.varying)

    def __repr__(self):
        return f"{SHORT_NAME.get(self.dtype.name, self.dtype.name)}{list(self.shape)}" + (f" @ {self.spec}" if self.spec else "")


class ElementType:
    """`f32`: a dtype wherever JAX takes one, a type constructor with `[...]`, a cast when called."""

    def __init__(self, name):
        import jax.numpy as jnp
        self.name = name
        self.dtype = jnp.dtype(ELEMENT_TYPES[name])

    def __getitem__(self, dims):
        dims = dims if isinstance(dims, tuple) else (dims,)
        if len(dims) == 1 and dims[0] == ():
            dims = ()
        shape, entries, sharded = [], [], False
        for dim in dims:
            if isinstance(dim, Dim):
                sharded = True
                shape.append(dim.size)
                entries.append(dim.axes[0] if len(dim.axes) == 1 else dim.axes)
            else:
                shape.append(dim)
                entries.append(None)
        for size in shape:
            if isinstance(size, bool) or not isinstance(size, int) or size < 0:
                raise TypeError(f"a dim of a type must be an integer of at least 0, got {size!r}")
        return ArrayType(self.dtype, shape, jax.sharding.PartitionSpec(*entries) if sharded else None)

    def __matmul__(self, spec):
        return self[()] @ spec

    def __call__(self, value):
        import jax.numpy as jnp
        return jnp.asarray(value, dtype=self.dtype)

    def __eq__(self, other):
        try:
            return self.dtype == getattr(other, "dtype", other)
        except TypeError:
            return False

    def __hash__(self):
        return hash(self.dtype)

    def __repr__(self):
        return self.name


_TYPE_TEXT = re.compile(r"^~?(\w+)\[(.*?)\](?:\{(.*)\})?$")


def type_from_text(text):
    """`"f32[8@(x,y),4]{V:z, U:w}"`, the form JAX prints, as an ArrayType."""
    match = _TYPE_TEXT.match(text.strip())
    if not match or match.group(1) not in ELEMENT_TYPES:
        raise TypeError(f"not a type: {text!r}")
    shape, entries = [], []
    for part in re.findall(r"[^,()]+(?:\([^)]*\))?", match.group(2).replace(" ", "")):
        size, _, axes = part.partition("@")
        shape.append(int(size))
        names = tuple(a for a in axes.strip("()").split(",") if a)
        entries.append(None if not names else names[0] if len(names) == 1 else names)
    sets = {}
    for letter, names in re.findall(r"([VUR](?:_\w+)?):(\([^)]*\)|[\w]+)", match.group(3) or ""):
        sets[letter] = set(names.strip("()").split(","))
    spec = jax.sharding.PartitionSpec(*entries, unreduced=sets.get("U", set()), reduced=sets.get("R", set()))
    return ArrayType(_dtype(match.group(1)), shape, spec, sets.get("V"))


def _dtype(name):
    """The numpy dtype of an HLO element type name."""
    import jax.numpy as jnp
    return jnp.dtype(ELEMENT_TYPES[name])


def type_text(aval):
    """A JAX type in the project's spelling."""
    text = aval.str_short(short_dtypes=True)
    name = str(aval.dtype)
    short = SHORT_NAME.get(name)
    if short:
        text = short + text[text.index("<" if "<" in text.split("[")[0] else "["):]
    return ("~" if getattr(aval, "weak_type", False) else "") + text


def _is_array(value):
    return isinstance(value, jax.Array) or hasattr(value, "aval")


def _both(python, array):
    """A name that is Python's on static values and jnp's on arrays. What containers hold Python adds up, arrays too."""
    def dispatch(*args, **kwargs):
        if python is sum and args and isinstance(args[0], (list, tuple, dict)):
            return python(*args, **kwargs)
        of_arrays = any(_is_array(leaf) for leaf in jax.tree.leaves((args, kwargs)))
        of_arrays = of_arrays or bool(set(kwargs) & {"axis", "keepdims", "out_sharding", "where", "initial", "dtype"})
        return (array if of_arrays else python)(*args, **kwargs)
    dispatch.__name__ = python.__name__
    return dispatch


class _Proxy:
    """`jax` as the file sees it: the real module, with a few names replaced."""

    def __init__(self, module, replaced):
        self.__dict__.update(replaced)
        self.__dict__["_module"] = module

    def __getattr__(self, name):
        return getattr(self.__dict__["_module"], name)


class Jitted:
    """jit(f), remembering its last use: a file without `main` is entered where it last called or lowered one."""

    def __init__(self, function, program, options):
        self.real = jax.jit(function, **options)
        self.function, self.program, self.options = function, program, options
        self.__name__ = getattr(function, "__name__", "f")

    def _note(self, args, kwargs):
        if not any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves((args, kwargs))):
            self.program.last_use = (self, args, kwargs)

    def __call__(self, *args, **kwargs):
        self._note(args, kwargs)
        return self.real(*args, **kwargs)

    def lower(self, *args, **kwargs):
        self._note(args, kwargs)
        return self.real.lower(*args, **kwargs)

    def trace(self, *args, **kwargs):
        self._note(args, kwargs)
        return self.real.trace(*args, **kwargs)


class Program:
    """A loaded file: its globals, its meshes, its entry."""

    def __init__(self, source, devices=None):
        self.source = source
        self.tree = parse(source)
        self.n = devices or device_count(self.tree)
        start_jax(self.n)
        self.last_use = None
        self.last_mesh = None
        self.entry_name = "main"
        self.globals = self._namespace()
        # Definition lines, for errors that JAX raises outside the file's own frames.
        self.lines = {n.name: n.lineno for n in self.tree.body if isinstance(n, ast.FunctionDef)}
        self.arg_lines = {n.name: [a.lineno for a in n.args.posonlyargs + n.args.args + n.args.kwonlyargs]
                          for n in self.tree.body if isinstance(n, ast.FunctionDef)}
        code = compile(rewrite(self.tree), FILENAME, "exec")
        exec(code, self.globals)

    # -- names

    def _mesh_maker(self, constructor):
        def make(*args, **kwargs):
            self.last_mesh = constructor(*args, **kwargs)
            return self.last_mesh
        make.__name__ = constructor.__name__
        return make

    def _namespace(self):
        import builtins
        import functools
        import math
        import jax.numpy as jnp
        import numpy as np
        from jax import lax
        from jax import sharding

        def devices(*_):
            return jax.devices()[:self.n]

        def jit(function=None, **options):
            if function is None:
                return lambda f: Jitted(f, self, options)
            return Jitted(function, self, options)

        make_mesh = self._mesh_maker(
            lambda sizes, names, axis_types=None, *, devices=None: jax.make_mesh(
                sizes, names, axis_types, devices=devices or jax.devices()[:self.n]))
        mesh_class = _MeshName(self, sharding.Mesh)
        sharding_names = {n: getattr(sharding, n) for n in
                          ("NamedSharding", "PartitionSpec", "AbstractMesh", "AxisType", "auto_axes", "explicit_axes",
                           "reshard", "set_mesh", "use_abstract_mesh", "get_abstract_mesh", "get_mesh",
                           "SingleDeviceSharding")}
        sharding_names["Mesh"] = mesh_class

        names = {}
        for module in (jax.nn, lax, jnp):  # later ones win
            for name in dir(module):
                if not name.startswith("_") and not name.endswith("_p") and callable(getattr(module, name)):
                    names[name] = getattr(module, name)
        for name in ("ndarray", "map", "slice", "bool", "int", "float", "complex", "object", "dtype", "e"):
            names.pop(name, None)
        for name in ("sum", "max", "min", "abs", "all", "any", "round", "pow"):
            names[name] = _both(getattr(builtins, name), getattr(jnp, name))
        names.update(sharding_names)
        names.update(
            P=sharding.PartitionSpec, Auto=sharding.AxisType.Auto, Explicit=sharding.AxisType.Explicit,
            Manual=sharding.AxisType.Manual, make_mesh=make_mesh, jit=jit, devices=devices,
            jax=_Proxy(jax, dict(jit=jit, devices=devices, make_mesh=make_mesh,
                                 sharding=_Proxy(sharding, {"Mesh": mesh_class}))),
            jnp=jnp, lax=lax, np=np, numpy=np, math=math, functools=functools, partial=functools.partial,
            nn=jax.nn, random=jax.random, typeof=jax.typeof, ShapeDtypeStruct=jax.ShapeDtypeStruct,
            newaxis=None, inf=math.inf, nan=math.nan, pi=math.pi,
            print=lambda *a, **k: print(*a, file=sys.stderr), __dim__=Dim, __check__=self._check, __name__="spmd")
        for name in ("P", "shard_map", "smap", "device_put", "reshard", "checkpoint", "remat", "named_scope", "tree",
                     "typeof"):
            names[name] = getattr(jax, name)
        names["with_sharding_constraint"] = lax.with_sharding_constraint
        for name in ELEMENT_TYPES:
            try:
                names[name] = ElementType(name)
            except TypeError:
                pass
        keep = ("len range int float bool str tuple list dict set frozenset zip enumerate reversed sorted isinstance "
                "divmod slice map filter complex repr type callable iter next True False None Ellipsis").split()
        safe = {k: getattr(builtins, k) for k in keep if hasattr(builtins, k)}
        for error in ("AssertionError", "ValueError", "TypeError"):
            safe[error] = getattr(builtins, error)
        safe["__import__"] = lambda name, *rest: _import(name, names, rest)
        names["__builtins__"] = safe
        return names

    # -- annotations

    def _check(self, value, annotation, unless_entry=None):
        """The value itself, after comparing it with an annotated type; annotations that are no types are ignored."""
        if unless_entry is not None and unless_entry == self.entry_name:
            return value
        if isinstance(annotation, str):
            annotation = type_from_text(annotation)
        if isinstance(annotation, ElementType):
            annotation = annotation[()]
        if isinstance(annotation, (tuple, list)) and isinstance(value, (tuple, list)):
            if len(annotation) != len(value):
                raise TypeError(f"annotation has {len(annotation)} elements, the value has {len(value)}")
            return type(value)(self._check(v, a) for v, a in zip(value, annotation))
        if isinstance(annotation, dict) and isinstance(value, dict):
            if annotation.keys() != value.keys():
                raise TypeError(f"annotation has keys {sorted(annotation)}, the value has {sorted(value)}")
            return {k: self._check(v, annotation[k]) for k, v in value.items()}
        if not isinstance(annotation, ArrayType):
            return value
        aval = jax.typeof(value)
        ok = aval.shape == annotation.shape and aval.dtype == jax.dtypes.canonicalize_dtype(annotation.dtype)
        mesh = aval.sharding.mesh
        spec = annotation.spec
        if isinstance(spec, jax.sharding.NamedSharding):
            spec = spec.spec
        if ok and not mesh.empty and mesh._any_axis_explicit:
            explicit = set(mesh.explicit_axes)
            padded = tuple(spec.partitions if spec is not None else ()) + (None,) * len(aval.shape)
            want = [tuple(a for a in (e if isinstance(e, tuple) else (e,)) if a in explicit) for e in padded]
            have = [e if isinstance(e, tuple) else () if e is None else (e,) for e in aval.sharding.spec.partitions]
            have += [()] * (len(aval.shape) - len(have))
            ok = want[:len(aval.shape)] == have
            ok = ok and set(spec.unreduced if spec is not None else ()) == set(aval.sharding.spec.unreduced)
            ok = ok and set(spec.reduced if spec is not None else ()) == set(aval.sharding.spec.reduced)
        if ok and annotation.varying is not None:
            ok = set(aval.mat.varying) == annotation.varying
        if not ok:
            raise TypeError(f"annotation says {annotation}, but the value has type {type_text(aval)}")
        return value

    # -- entry

    @property
    def mesh(self):
        mesh = self.globals.get("mesh")
        if isinstance(mesh, (jax.sharding.Mesh, jax.sharding.AbstractMesh)):
            return mesh
        return self.last_mesh

    def _struct(self, annotation, line):
        """The abstract value(s) that an argument annotation stands for."""
        if isinstance(annotation, str):
            annotation = type_from_text(annotation)
        if isinstance(annotation, ElementType):
            annotation = annotation[()]
        if isinstance(annotation, jax.ShapeDtypeStruct):
            return annotation
        if isinstance(annotation, ArrayType):
            sharding = annotation.spec
            if isinstance(sharding, jax.sharding.PartitionSpec):
                if self.mesh is None:
                    raise _at(line, ValueError("an argument has a PartitionSpec, but the file has no mesh"))
                try:
                    sharding = jax.sharding.NamedSharding(self.mesh, sharding)
                except Exception as error:
                    raise _at(line, error)
            if sharding is not None:
                try:
                    sharding.check_compatible_aval(annotation.shape)
                    if not sharding.spec.unreduced:
                        sharding.shard_shape(annotation.shape)
                except Exception as error:
                    raise _at(line, error)
            try:
                struct = jax.ShapeDtypeStruct(annotation.shape, annotation.dtype, sharding=sharding)
                from jax._src.core import shaped_abstractify
                shaped_abstractify(struct)
            except Exception as error:
                raise _at(line, error)
            return struct
        if isinstance(annotation, dict):
            return {k: self._struct(v, line) for k, v in annotation.items()}
        if isinstance(annotation, (tuple, list)):
            return type(annotation)(self._struct(v, line) for v in annotation)
        raise _at(line, TypeError(f"not a type: {annotation!r}"))

    def entry(self, name=None):
        """(callable, user's jit or None, args, kwargs, name). Arrays or abstract values as arguments."""
        import inspect
        chosen = name or ("main" if "main" in self.globals else None)
        if chosen is None:
            if self.last_use is None:
                raise LanguageError("the file has no function `main`, and calls or lowers no jitted function")
            jitted, args, kwargs = self.last_use
            return jitted.function, jitted, args, kwargs, jitted.__name__
        if chosen not in self.globals:
            raise LanguageError(f"the file has no function `{chosen}`")
        self.entry_name = chosen
        function = self.globals[chosen]
        jitted = function if isinstance(function, Jitted) else None
        plain = jitted.function if jitted else function
        parameters = inspect.signature(plain).parameters.values()
        lines = self.arg_lines.get(chosen, [])
        args, kwargs = [], {}
        for position, parameter in enumerate(parameters):
            line = lines[position] if position < len(lines) else self.lines.get(chosen, 1)
            if parameter.annotation is inspect.Parameter.empty:
                if parameter.default is inspect.Parameter.empty:
                    raise _at(line, TypeError(f"argument `{parameter.name}` of `{chosen}` needs a type or a default"))
                continue  # static, with its default
            if parameter.default is not inspect.Parameter.empty:
                continue
            struct = self._struct(parameter.annotation, line)
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                kwargs[parameter.name] = struct
            else:
                args.append(struct)
        return plain, jitted, tuple(args), kwargs, chosen

    def context(self):
        """Enters the file's mesh, unless the file set one itself."""
        import contextlib
        stack = contextlib.ExitStack()
        mesh = self.mesh
        if mesh is None or self.last_use is not None and "main" not in self.globals:
            return stack
        if isinstance(mesh, jax.sharding.AbstractMesh):
            stack.enter_context(jax.sharding.use_abstract_mesh(mesh))
        else:
            stack.enter_context(jax.set_mesh(mesh))
        return stack

    def trace(self, name=None):
        """Traces the entry once more; returns a dict of what is known by then."""
        plain, jitted, args, kwargs, chosen = self.entry(name)
        if jitted:
            args = self._placed(args, jitted.options.get("in_shardings"))
        with self.context():
            real = jitted.real if jitted else jax.jit(plain)
            traced = real.trace(*args, **kwargs)
            abstract = isinstance(self.mesh, jax.sharding.AbstractMesh)
            lowered = traced.lower(lowering_platforms=("cpu",)) if abstract else traced.lower()
            results = list(traced.jaxpr.out_avals)
            if jitted:  # out_shardings decide the type that the caller sees
                from jax._src.core import shaped_abstractify
                for index, info in enumerate(jax.tree.leaves(traced.out_info)):
                    if isinstance(getattr(info, "sharding", None), jax.sharding.NamedSharding):
                        results[index] = shaped_abstractify(info)
        return dict(entry=chosen, traced=traced, lowered=lowered, args=args, kwargs=kwargs, real=real,
                    arg_avals=traced.jaxpr.in_avals, result_avals=results)

    def _placed(self, value, sharding):
        """Arguments that say no sharding take the one that in_shardings gives (a prefix tree of the arguments)."""
        if isinstance(sharding, jax.sharding.PartitionSpec):
            try:
                sharding = jax.sharding.NamedSharding(self.mesh, sharding)
            except Exception:
                return value  # jit itself will say what is wrong
        if isinstance(sharding, jax.sharding.NamedSharding):
            def place(leaf):
                if not isinstance(leaf, jax.ShapeDtypeStruct) or leaf.sharding is not None:
                    return leaf
                try:
                    sharding.shard_shape(leaf.shape)
                    return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=sharding)
                except Exception:
                    return leaf
            return jax.tree.map(place, value)
        if isinstance(sharding, (tuple, list)) and isinstance(value, (tuple, list)) and len(sharding) == len(value):
            return type(value)(self._placed(v, s) for v, s in zip(value, sharding))
        if isinstance(sharding, dict) and isinstance(value, dict) and sharding.keys() == value.keys():
            return {k: self._placed(v, sharding[k]) for k, v in value.items()}
        return value


class _MeshName:
    """`Mesh`: constructs, and remembers the last one made; also usable in isinstance-free code only."""

    def __init__(self, program, real):
        self.program, self.real = program, real

    def __call__(self, *args, **kwargs):
        self.program.last_mesh = self.real(*args, **kwargs)
        return self.program.last_mesh


def _import(name, names, rest):
    """`import jax...` gives the file's own view of the module."""
    fromlist = rest[2] if len(rest) > 2 else ()
    top, *path = name.split(".")
    if top not in _MODULES:  # asked for by library code that runs on behalf of the file; the file's own imports are checked before
        import importlib
        return importlib.import_module(name)
    if top == "jax" and path[:1] == ["numpy"] and not fromlist:
        return names["jax"]
    module = {"jax": names["jax"], "numpy": names["np"], "math": names["math"], "functools": names["functools"]}[top]
    if fromlist:
        for part in path:
            if top == "jax" and part == "experimental":
                return _Proxy(jax, {"shard_map": jax.shard_map, "pjit": names["jit"]})
            module = getattr(module, part)
    return module


def _at(line, error):
    error.spmd_line = line
    return error


# ---------------------------------------------------------------------------------------------------------------------
# Answers.

def error_answer(error, program=None, entry=None):
    """What a refused program answers: error class, message, and the innermost line of the file."""
    line = getattr(error, "spmd_line", None)
    if line is None:
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename == FILENAME:
                line = frame.lineno
    if line is None and isinstance(error, SyntaxError):
        line = error.lineno
    if line is None and program is not None:
        line = program.lines.get(entry or "main")
    name = "SyntaxError" if isinstance(error, SyntaxError) else type(error).__name__
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return {"ok": False, "error": name, "message": _clean(message), "line": line}


def _clean(message):
    """Without this machine's paths, object addresses and the tail that JAX's traceback hints add."""
    message = re.split(r"\n?-{20,}|This error occurs at source:|\nThe above exception|\n\nSee https", message)[0]
    message = re.sub(r"0x[0-9a-f]{6,}", "0x...", message)
    message = re.sub(r"(/[\w.@+-]+){2,}", "...", message)
    message = re.sub(r", device_kind=\w+, num_cores=\w+, platform=\w+", "", message)
    message = re.sub(r", memory_kind=device\b", "", message)
    return message.strip()[:1500]


def check(source, entry=None, devices=None):
    """The types of `source`'s entry, or the error; never raises for a bad program."""
    program = None
    try:
        program = Program(source, devices)
        found = program.trace(entry)
        return {"ok": True, "entry": found["entry"],
                "arg_types": [type_text(a) for a in found["arg_avals"]],
                "result_types": [type_text(a) for a in found["result_avals"]]}
    except Exception as error:  # whatever JAX raises is the answer
        return error_answer(error, program, entry)
    finally:
        reset()


def reset():
    """Forgets a context mesh that a file has set globally."""
    if jax is not None:
        try:
            jax.set_mesh(None)
        except Exception:
            pass


def sharding_json(sharding, rank):
    """A sharding as the project's JSON writes it."""
    spec = getattr(sharding, "spec", None)
    if spec is None:
        return {"text": str(sharding)}
    parts = list(spec.partitions) + [None] * (rank - len(spec.partitions))
    return {"dims": [[] if p is None else list(p) if isinstance(p, tuple) else [str(p)] for p in parts],
            "unreduced": sorted(spec.unreduced)}


def shards_json(sharding, shape):
    """[{"device", "index": [[start, stop], ...]}] in mesh order."""
    try:
        table = sharding.devices_indices_map(tuple(shape))
    except Exception as error:
        return {"error": str(error)[:200]}
    return [{"device": device.id, "index": [list(s.indices(n)[:2]) for s, n in zip(index, shape)]}
            for device, index in table.items()]


def values_answer(program, found):
    with program.context():
        compiled = found["lowered"].compile()
    answer = {"results": [], "args": []}
    outs = jax.tree.leaves(compiled.output_shardings)
    for aval, sharding in zip(found["result_avals"], outs):
        answer["results"].append({"type": type_text(aval), "sharding": sharding_json(sharding, aval.ndim),
                                  "shards": shards_json(sharding, aval.shape)})
    ins = jax.tree.leaves(compiled.input_shardings[0])
    if len(ins) == len(found["arg_avals"]):
        for aval, sharding in zip(found["arg_avals"], ins):
            answer["args"].append({"type": type_text(aval), "sharding": sharding_json(sharding, aval.ndim),
                                   "shards": shards_json(sharding, aval.shape)})
    return answer


def partitioned_text(program, found):
    """The module as XLA holds it right after the SPMD partitioner."""
    import glob
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        with program.context():
            compiled = found["lowered"].compile(compiler_options={
                "xla_dump_to": folder, "xla_dump_hlo_as_text": True, "xla_dump_hlo_pass_re": "spmd.*|shardy.*"})
        files = sorted(glob.glob(folder + "/*after_spmd-partitioning*.txt"))
        if files:
            with open(files[-1]) as text:
                return text.read()
        return compiled.as_text()


def run_program(program, found, in_file, out_file):
    import numpy as np
    given = np.load(in_file)
    leaves, tree = jax.tree.flatten((found["args"], found["kwargs"]))
    names = [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_flatten_with_path((found["args"], found["kwargs"]))[0]]
    import inspect
    parameters = list(inspect.signature(program.globals[found["entry"]].function if isinstance(program.globals.get(found["entry"]), Jitted)
                                        else program.globals[found["entry"]]).parameters)
    values = []
    for index, (leaf, name) in enumerate(zip(leaves, names)):
        plain = re.sub(r"^\[0\]\[(\d+)\]", lambda m: parameters[int(m.group(1))], name)
        key = next((k for k in (plain, f"arg{index}", name) if k in given.files), None)
        if key is None:
            raise KeyError(f"no array for argument {plain} (or arg{index}) in {in_file}")
        value = given[key].astype(leaf.dtype)
        sharding = getattr(leaf, "sharding", None)
        values.append(jax.device_put(value, sharding) if sharding is not None else value)
    args, kwargs = jax.tree.unflatten(tree, values)
    with program.context():
        results = found["real"](*args, **kwargs)
    arrays = {f"out{i}": np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(results))}
    arrays = {k: v.astype(np.float32) if v.dtype.kind == "V" or v.dtype.name == "bfloat16" else v for k, v in arrays.items()}
    np.savez(out_file, **arrays)
    return sorted(arrays)


def main():
    import argparse
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--types", action="store_true", help="types only (the default)")
    parser.add_argument("--values", action="store_true", help="compile; result shardings and per-device index ranges")
    parser.add_argument("--stablehlo", action="store_true", help="print the lowered StableHLO text")
    parser.add_argument("--hlo", action="store_true", help="print the per-device program after partitioning")
    parser.add_argument("--run", nargs=2, metavar=("IN", "OUT"), help="run with arrays of an .npz, write results to another")
    parser.add_argument("--entry", help="the function to enter (default main)")
    parser.add_argument("--devices", type=int, help="number of virtual devices (default: what the file's meshes need)")
    options = parser.parse_args()
    source = sys.stdin.read() if options.file == "-" else open(options.file).read()
    program = None
    try:
        program = Program(source, options.devices)
        found = program.trace(options.entry)
        answer = {"ok": True, "entry": found["entry"],
                  "arg_types": [type_text(a) for a in found["arg_avals"]],
                  "result_types": [type_text(a) for a in found["result_avals"]]}
        if options.stablehlo:
            print(found["lowered"].as_text())
            return 0
        if options.hlo:
            print(partitioned_text(program, found))
            return 0
        if options.values:
            answer.update(values_answer(program, found))
        if options.run:
            answer["written"] = run_program(program, found, *options.run)
    except Exception as error:
        answer = error_answer(error, program, options.entry)
    print(json.dumps(answer, indent=1))
    return 0 if answer["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
