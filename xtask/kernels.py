"""Compiles the kernels of nestnet-gpu to PTX by NVRTC, which needs no GPU: kernels.py SOURCE PTX."""

import ctypes
import hashlib
import importlib.util
import pathlib
import sys

# The oldest architecture that has a driver for PTX of this version; a driver compiles it for all that are newer.
ARCHITECTURE = "compute_70"


def library() -> ctypes.CDLL:
    found = importlib.util.find_spec("nvidia.cuda_nvrtc")
    if found is None or not found.submodule_search_locations:
        sys.exit("there is no package nvidia-cuda-nvrtc-cu11")
    folder = pathlib.Path(next(iter(found.submodule_search_locations))) / "lib"
    # It loads its built-ins by name.
    for builtins in sorted(folder.glob("libnvrtc-builtins.so*")):
        ctypes.CDLL(str(builtins), mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(next(iter(sorted(folder.glob("libnvrtc.so*"))))))


def compiled(source: bytes) -> str:
    nvrtc = library()
    program = ctypes.c_void_p()

    def text(size_of, get) -> bytes:
        size = ctypes.c_size_t()
        size_of(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        get(program, buffer)
        return buffer.value

    created = nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"kernels.cu", 0, None, None)
    if created != 0:
        sys.exit(f"NVRTC: error {created}")
    options = [f"--gpu-architecture={ARCHITECTURE}".encode(), b"--std=c++17"]
    failed = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    log = text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog).decode().strip()
    if log:
        print(log, file=sys.stderr)
    if failed:
        sys.exit(f"NVRTC: error {failed}")
    return text(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX).decode()


def main() -> None:
    source, ptx = map(pathlib.Path, sys.argv[1:])
    text = source.read_bytes()
    ptx.write_text(f"// SHA-256 of the source: {hashlib.sha256(text).hexdigest()}\n" + compiled(text))


main()
