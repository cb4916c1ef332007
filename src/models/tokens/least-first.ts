/** Numbers of which the least is taken first: a binary heap, in which no number is less than the one above it. */
export class LeastFirst {
  private readonly numbers: number[] = [];

  add(number: number): void {
    const numbers = this.numbers;
    let at = numbers.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = numbers[above];
      if (other === undefined || other <= number) break;
      numbers[at] = other;
      at = above;
    }
    numbers[at] = number;
  }

  take(): number | undefined {
    const numbers = this.numbers;
    const least = numbers[0];
    const last = numbers.pop();
    if (least === undefined || last === undefined || numbers.length === 0) return least;
    let at = 0;
    for (let below = 1; below < numbers.length; below = 2 * at + 1) {
      const [left, right] = [numbers[below], numbers[below + 1]];
      const isRight = right !== undefined && left !== undefined && right < left;
      const least = isRight ? right : left;
      if (least === undefined || least >= last) break;
      numbers[at] = least;
      at = isRight ? below + 1 : below;
    }
    numbers[at] = last;
    return least;
  }
}
