"""The kernels of kernels.py, launched by Triton itself on PyTorch's tensors, as a user's program does; their results are
compared with PyTorch's on the processor. On a machine without a GPU: lanescope exec --on emulator -- python3 host.py"""
import torch
import triton

import kernels


def show(name, found, expected, most=0.0):
    wrong = int((~torch.isclose(found.cpu().float(), expected.float(), rtol=most, atol=most)).sum())
    print(name, f"{wrong} wrong" if wrong else "right", flush=True)


def main():
    torch.manual_seed(0)
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__, "Triton", triton.__version__, flush=True)

    x, y = torch.randn(10000), torch.randn(10000)
    out = torch.empty(10000, device="cuda")
    kernels.add[(triton.cdiv(10000, 1024),)](x.cuda(), y.cuda(), out, 10000, BLOCK=1024)
    show("add", out, x + y)

    x = torch.randn(24, 781)
    out = torch.empty(24, 781, device="cuda")
    kernels.softmax[(24,)](out, x.cuda(), 781, 781, BLOCK=1024)
    show("softmax", out, torch.softmax(x, 1), 1e-6)

    weight = torch.randn(781)
    kernels.normalize[(24,)](x.cuda(), weight.cuda(), out, 781, 1e-5, BLOCK=1024, num_warps=8)
    show("normalize", out, torch.nn.functional.layer_norm(x, (781,), weight), 1e-5)

    x = torch.randn(80, 200)
    out = torch.empty(200, 80, device="cuda")
    kernels.transpose[(3, 7)](x.cuda(), out, 80, 200, TILE=32)
    show("transpose", out, x.T)

    x = torch.randint(1000, (5000,), dtype=torch.int32)
    out = torch.zeros(64, dtype=torch.int32).cuda()
    kernels.histogram[(10,)](x.cuda(), out, 5000, BLOCK=512, BINS=64)
    show("histogram", out, torch.bincount(x % 64, minlength=64))

    a, b = torch.randn(128, 96).half(), torch.randn(96, 64).half()
    out = torch.empty(128, 64, dtype=torch.half, device="cuda")
    kernels.matmul[(2, 1)](a.cuda(), b.cuda(), out, 128, 64, 96, TILE_M=64, TILE_N=64, TILE_K=32)
    show("matmul", out, a.float() @ b.float(), 1e-2)


main()
