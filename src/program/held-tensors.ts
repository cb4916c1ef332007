import type { Tensor } from "../language/values/tensor.js";

/** Tensors whose cells stay for a run with pauses, whatever the host disposes of meanwhile. */
export class HeldTensors {
  private readonly releases: (() => void)[] = [];

  add(tensor: Tensor): void {
    this.releases.push(tensor.hold());
  }

  /** Lets them go: what was disposed of is given back. */
  release(): void {
    for (const release of this.releases.splice(0)) release();
  }
}
