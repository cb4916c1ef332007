/** A sum, and what rounding has lost of it. */
export class RunningTotal {
  private sum = 0;
  /** NaN once the sum is not finite. */
  private lost = 0;

  clear(): void {
    this.sum = 0;
    this.lost = 0;
  }

  add(number: number): void {
    const sum = this.sum + number;
    const added = sum - this.sum;
    this.lost += this.sum - (sum - added) + (number - added);
    this.sum = sum;
  }

  rounded(): number {
    return Number.isNaN(this.lost) ? this.sum : this.sum + this.lost;
  }
}
