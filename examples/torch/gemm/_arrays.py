# SPDX-License-Identifier: BSL-1.0
"""Arrays of other packages, read by DLPack or their array interfaces, and made by these packages.

No package is imported here that the program has not imported itself.
"""

import ctypes
import sys
from ctypes import (
    POINTER,
    Structure,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
)

from . import _library as lib

_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13  # DLDeviceType
_READ_ONLY = 1  # of DLManagedTensorVersioned's flags

# DLDataTypeCode and bits.
_DLPACK_TYPES = {
    (2, 32): lib.FLOAT,
    (2, 64): lib.DOUBLE,
    (2, 16): lib.HALF,
    (4, 16): lib.BFLOAT16,
    (10, 8): lib.E4M3,
    (12, 8): lib.E5M2,
    (0, 8): lib.INT8,
    (0, 32): lib.INT32,
}
# Names as NumPy, ml_dtypes and PyTorch have them.
_NAMED_TYPES = {
    "float32": lib.FLOAT,
    "float64": lib.DOUBLE,
    "float16": lib.HALF,
    "bfloat16": lib.BFLOAT16,
    "float8_e4m3fn": lib.E4M3,
    "float8_e5m2": lib.E5M2,
    "int8": lib.INT8,
    "int32": lib.INT32,
}
_TYPE_NAMES = {type: name for name, type in _NAMED_TYPES.items()}
_SIZES = {type: bits // 8 for (_, bits), type in _DLPACK_TYPES.items()}
# Of C, where no array is given for it.
_RESULT_TYPES = {lib.INT8: lib.INT32, lib.E4M3: lib.BFLOAT16, lib.E5M2: lib.BFLOAT16}


class _Tensor(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


class _VersionedTensor(Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("manager", c_void_p),
        ("deleter", c_void_p),
        ("flags", c_uint64),
        ("tensor", _Tensor),
    ]


_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes, _is_valid.restype = [ctypes.py_object, c_char_p], c_int
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes, _pointer.restype = [ctypes.py_object, c_char_p], c_void_p


class Array:
    """A pointer with type, shape and strides in elements. `owner` keeps the memory alive."""

    def __init__(self, name, owner, data, type, shape, strides, read_only):
        if type is None:
            raise ValueError(f"{name} has elements of another type, needs one of {', '.join(_NAMED_TYPES)}")
        self.name, self.owner, self.data, self.type, self.read_only = name, owner, data, type, read_only
        self.shape = tuple(shape)
        if strides is None:
            strides, size = [], 1
            for length in reversed(self.shape):
                strides.insert(0, size)
                size *= length
        self.strides = tuple(strides)


def _named_type(array):
    """The type by the name of the array's dtype, or None."""
    return _NAMED_TYPES.get(str(getattr(array, "dtype", "")).rpartition(".")[2])


def _package(array):
    return type(array).__module__.partition(".")[0].removesuffix("lib")  # JAX's arrays are of jaxlib


def _from_interface(name, array, interface):
    type = _named_type(array) or _NAMED_TYPES.get(
        {"<f4": "float32", "<f8": "float64", "<f2": "float16", "|i1": "int8", "<i4": "int32"}.get(interface["typestr"])
    )
    strides = interface.get("strides")
    if strides is not None and type is not None:
        if any(stride % _SIZES[type] for stride in strides):
            raise ValueError(f"{name} has strides of {tuple(strides)} bytes, needs multiples of {_SIZES[type]}")
        strides = [stride // _SIZES[type] for stride in strides]
    data, read_only = interface["data"]
    return Array(name, array, data or None, type, interface["shape"], strides, read_only)


def _from_dlpack(name, array, stream):
    type = _named_type(array)
    exported = array
    if type in (lib.E4M3, lib.E5M2) and _package(array) == "torch":  # exported by new versions alone
        exported = array.view(sys.modules["torch"].uint8)
    # The producer's work on the array comes before what the stream does from now on. 1 is the default stream.
    arguments = {} if lib.on_cpu else {"stream": stream or 1}
    try:
        capsule = exported.__dlpack__(max_version=(1, 0), **arguments)
    except TypeError:  # from before versions
        capsule = exported.__dlpack__(**arguments)
    read_only = False
    if _is_valid(capsule, b"dltensor_versioned"):
        versioned = _VersionedTensor.from_address(_pointer(capsule, b"dltensor_versioned"))
        if versioned.major != 1:
            raise ValueError(f"{name} is of DLPack {versioned.major}, needs version 1 or one before it")
        read_only = bool(versioned.flags & _READ_ONLY)
        tensor = versioned.tensor
    elif _is_valid(capsule, b"dltensor"):
        tensor = _Tensor.from_address(_pointer(capsule, b"dltensor"))
    else:
        raise TypeError(f"{name}'s __dlpack__() gives no capsule of DLPack")
    if type is None and tensor.lanes == 1:
        type = _DLPACK_TYPES.get((tensor.code, tensor.bits))
    shape = tensor.shape[: tensor.ndim] if tensor.ndim else ()
    strides = tensor.strides[: tensor.ndim] if tensor.ndim and tensor.strides else None
    data = tensor.data + tensor.byte_offset if tensor.data else None
    # A capsule that nobody takes frees the tensor with itself.
    return Array(name, (array, exported, capsule), data, type, shape, strides, read_only)


def synchronize(stream):
    """Waits for a stream, by CUDA's driver: the runtime is hidden in the library. The CPU device has done its work."""
    if lib.on_cpu:
        return
    result = ctypes.CDLL("libcuda.so.1").cuStreamSynchronize(c_void_p(stream))
    if result:
        raise lib.CudaFailure(f"cuStreamSynchronize() of stream {stream} failed with {result}", 3, result)


def read(name, array, stream):
    """The array as an Array. Its own stream's work is done before the stream goes on."""
    if lib.on_cpu and hasattr(array, "__array_interface__"):
        return _from_interface(name, array, array.__array_interface__)
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        device, _ = array.__dlpack_device__()
        if lib.on_cpu and device not in (_CPU, _CUDA_HOST):
            raise ValueError(f"{name} is in memory of a device, needs that of the CPU, which the library is for")
        if not lib.on_cpu and device not in (_CUDA, _CUDA_MANAGED):
            raise ValueError(f"{name} is not in memory of a CUDA device, needs to be")
        return _from_dlpack(name, array, stream)
    if not lib.on_cpu and hasattr(array, "__cuda_array_interface__"):
        interface = array.__cuda_array_interface__
        producer = interface.get("stream")
        if producer is not None and producer != (stream or 1):
            synchronize(producer)
        return _from_interface(name, array, interface)
    if hasattr(array, "__array_interface__"):
        raise ValueError(f"{name} is not in memory of a CUDA device, needs to be")
    raise TypeError(f"{name} is a {type(array).__name__}, needs __dlpack__() or __cuda_array_interface__")


def handle(stream):
    """The cudaStream_t of a stream of CuPy, Numba or PyTorch, or of an integer; 0 for None, the default stream."""
    if stream is None:
        return 0
    if isinstance(stream, int):
        return stream
    if hasattr(stream, "__cuda_stream__"):
        return stream.__cuda_stream__()[1]
    for attribute in "cuda_stream", "ptr":
        if hasattr(stream, attribute):
            return getattr(stream, attribute)
    if hasattr(stream, "handle"):
        return int(getattr(stream.handle, "value", stream.handle) or 0)
    raise TypeError(f"stream is a {type(stream).__name__}, needs to be an integer or have __cuda_stream__()")


def _batch(array, writes):
    """Count and stride of all dimensions but the last two."""
    dimensions = [(n, stride) for n, stride in zip(array.shape[:-2], array.strides[:-2]) if n != 1]
    if any(n == 0 for n, _ in dimensions):
        return 0, 0
    if not dimensions:
        return 1, 0
    count, stride = dimensions[-1]
    for n, outer in reversed(dimensions[:-1]):
        if outer != stride * count:
            raise ValueError(
                f"{array.name} has strides {array.strides} for the shape {array.shape}, needs batches of one stride"
            )
        count *= n
    if stride < 0 or (writes and stride == 0):
        raise ValueError(f"{array.name} has a batch stride of {stride}, needs {'1 or' if writes else '0 or'} more")
    return count, stride


def matrices(array, tf32=False, writes=False):
    """The array as lib.Matrix, once for each order that its strides allow."""
    if len(array.shape) < 2:
        raise ValueError(f"{array.name} has the shape {array.shape}, needs 2 dimensions or more")
    rows, columns = array.shape[-2:]
    by_row, by_column = array.strides[-2:]
    count, batch_stride = _batch(array, writes)
    found = []
    for order, lines, length, along, across in (
        (lib.ROW_MAJOR, rows, columns, by_column, by_row),
        (lib.COLUMN_MAJOR, columns, rows, by_row, by_column),
    ):
        is_empty = not lines or not length or not count
        if is_empty or ((along == 1 or length == 1) and (across >= length or lines == 1)):
            found.append(
                lib.Matrix(
                    data=array.data,
                    type=lib.TF32 if tf32 and array.type == lib.FLOAT else array.type,
                    order=order,
                    rows=rows,
                    columns=columns,
                    ld=max(length, 1) if is_empty or lines == 1 else across,
                    batch_count=count,
                    batch_stride=batch_stride,
                    scale_count=-1,
                )
            )
    if not found:
        raise ValueError(
            f"{array.name} has strides {array.strides} for the shape {array.shape}, needs contiguous rows or columns "
            "that do not overlap: a copy, as of ascontiguousarray()"
        )
    return found


def require_type(array, type, needs):
    if array.type != type:
        raise ValueError(f"{array.name} is of {_TYPE_NAMES[array.type]}, needs {_TYPE_NAMES[type]} {needs}")


def vector(array, type, needs):
    """Checks that the array is of the type and without gaps, and gives its number of elements."""
    require_type(array, type, needs)
    size, count = 1, 1
    for length, stride in zip(reversed(array.shape), reversed(array.strides)):
        if length > 1 and stride != size:
            raise ValueError(f"{array.name} has strides {array.strides}, needs to be without gaps")
        size *= length
        count *= length
    return count


def result_type(type):
    return _RESULT_TYPES.get(type, type)


def is_immutable(array):
    """Whether the array is of JAX, which has no streams either."""
    return _package(array) == "jax"


def empty(like, type, shape):
    """An array of the package and on the device of `like`."""
    name, package = _TYPE_NAMES[type], _package(like)
    module = sys.modules.get(package)
    if package == "torch":
        return like.new_empty(shape, dtype=getattr(module, name))
    if package not in ("numpy", "cupy", "numba", "jax"):
        raise ValueError(f"a is of {package or 'no package'}, needs an array for the result in out")
    if package == "numba":
        return sys.modules["numba.cuda"].device_array(shape, dtype=name)
    # NumPy knows bfloat16 where ml_dtypes has been imported, and as a type alone.
    dtype = getattr(sys.modules.get("ml_dtypes"), name, name)
    if package == "jax":
        array = module.numpy.empty(shape, dtype=dtype, device=like.sharding)
        return array.block_until_ready()
    return module.empty(shape, dtype=dtype)
