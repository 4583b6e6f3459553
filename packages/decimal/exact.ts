import Big from 'big.js';

const safeMax = Number.MAX_SAFE_INTEGER;
/** How many more digits a quotient may have than its dividend to be computed exactly. */
const quotientDigits = 4;
const powers = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/**
 * A decimal as an integer coefficient and a number of decimals, which is exact while both are
 * small, as nearly always for amounts. Other values are computed and stored by big.js.
 */
export class Exact {
  readonly #coefficient: number;
  readonly #scale: number;
  #big: Big | undefined;

  private constructor(coefficient: number, scale: number, big: Big | undefined) {
    this.#coefficient = coefficient;
    this.#scale = scale;
    this.#big = big;
  }

  /** `coefficient` × 10^-`scale`; both must be safe integers, the scale 0 to 15. */
  static of(coefficient: number, scale: number): Exact {
    return new Exact(coefficient, scale, undefined);
  }

  /** Makes a decimal of any number of digits. */
  static from(big: Big): Exact {
    return new Exact(Number.NaN, 0, big);
  }

  plus(other: Exact | number): Exact {
    const right = exact(other);
    if (right.#scale === this.#scale) {
      const total = this.#coefficient + right.#coefficient;
      if (fits(total)) return Exact.of(total, this.#scale);
    }
    const scale = Math.max(this.#scale, right.#scale);
    const total = this.#at(scale) + right.#at(scale);
    return fits(total) ? Exact.of(total, scale) : Exact.from(this.#asBig().plus(right.#asBig()));
  }

  minus(other: Exact | number): Exact {
    const right = exact(other);
    const scale = Math.max(this.#scale, right.#scale);
    const rest = this.#at(scale) - right.#at(scale);
    return fits(rest) ? Exact.of(rest, scale) : Exact.from(this.#asBig().minus(right.#asBig()));
  }

  times(other: Exact | number): Exact {
    const right = exact(other);
    const scale = this.#scale + right.#scale;
    const product = this.#coefficient * right.#coefficient;
    return fits(product) && scale < powers.length
      ? Exact.of(product, scale)
      : Exact.from(this.#asBig().times(right.#asBig()));
  }

  /** Divides; an infinite quotient is rounded to twenty decimals (`Big.DP`). Throws for 0. */
  div(other: Exact | number): Exact {
    const right = exact(other);
    const zeros = powers.indexOf(right.#coefficient);
    const scale = this.#scale - right.#scale + zeros;
    // Division by a power of ten only moves the point.
    return zeros >= 0 && scale >= 0 && scale < powers.length && !Number.isNaN(this.#coefficient)
      ? Exact.of(this.#coefficient, scale)
      : (this.#shortQuotient(right) ?? Exact.from(this.#asBig().div(right.#asBig())));
  }

  /** The quotient if it has few digits, as most prices for several units. */
  #shortQuotient(divisor: Exact): Exact | undefined {
    const scale = this.#scale - divisor.#scale + quotientDigits;
    const dividend = this.#coefficient * powers[quotientDigits]!;
    const quotient = dividend / divisor.#coefficient;
    // For safe integers the double is an integer only if the exact quotient is.
    const isWhole = fits(dividend) && Number.isInteger(quotient);
    return isWhole && scale >= 0 && scale < powers.length ? Exact.of(quotient, scale) : undefined;
  }

  abs(): Exact {
    return Number.isNaN(this.#coefficient)
      ? Exact.from(this.#asBig().abs())
      : Exact.of(Math.abs(this.#coefficient), this.#scale);
  }

  /**
   * Rounds to `places` decimals: halves away from zero or towards positive infinity; or towards
   * zero.
   */
  round(places: number, way: 'half-up' | 'half-ceiling' | 'down' = 'half-up'): Exact {
    const dropped = this.#scale - places;
    if (Number.isNaN(this.#coefficient) || places < 0) return this.#roundBig(places, way);
    if (dropped <= 0) return this;
    const unit = powers[dropped]!;
    const rest = this.#coefficient % unit;
    const whole = (this.#coefficient - rest) / unit;
    const beyond = Math.abs(rest) - unit / 2;
    const isHalfDown = way === 'half-ceiling' && rest < 0 && beyond === 0;
    const isUp = way !== 'down' && beyond >= 0 && !isHalfDown;
    return Exact.of(isUp ? whole + Math.sign(rest) : whole, places);
  }

  #roundBig(places: number, way: 'half-up' | 'half-ceiling' | 'down'): Exact {
    const big = this.#asBig();
    if (way !== 'half-ceiling') {
      return Exact.from(big.round(places, way === 'down' ? Big.roundDown : Big.roundHalfUp));
    }
    const isHalf = big.s < 0 && big.minus(big.round(places, Big.roundDown)).eq(halfOf(places));
    return Exact.from(big.round(places, isHalf ? Big.roundDown : Big.roundHalfUp));
  }

  /**
   * Compares: negative, zero or positive when this is less than, equal to or more than the other.
   */
  cmp(other: Exact | number): number {
    const right = exact(other);
    if (right.#scale === this.#scale && !Number.isNaN(this.#coefficient - right.#coefficient)) {
      return this.#coefficient - right.#coefficient;
    }
    const scale = Math.max(this.#scale, right.#scale);
    const left = this.#at(scale);
    const against = right.#at(scale);
    // Beyond the safe integers doubles are not exact, so big.js compares.
    if (!fits(left) || !fits(against)) return this.#asBig().cmp(right.#asBig());
    return left === against ? 0 : left - against;
  }

  eq(other: Exact | number): boolean {
    return this.cmp(other) === 0;
  }

  gt(other: Exact | number): boolean {
    return this.cmp(other) > 0;
  }

  gte(other: Exact | number): boolean {
    return this.cmp(other) >= 0;
  }

  lt(other: Exact | number): boolean {
    return this.cmp(other) < 0;
  }

  lte(other: Exact | number): boolean {
    return this.cmp(other) <= 0;
  }

  /** The nearest double, or one next to it. */
  toNumber(): number {
    return Number.isNaN(this.#coefficient)
      ? this.#asBig().toNumber()
      : this.#coefficient / powers[this.#scale]!;
  }

  /** Plain notation: rounded half away from zero to `places`; by default without trailing zeros. */
  toFixed(places?: number): string {
    if (Number.isNaN(this.#coefficient)) return this.#asBig().toFixed(places);
    const rounded = places === undefined ? this : this.round(places);
    const digits = String(Math.abs(rounded.#coefficient)).padStart(rounded.#scale + 1, '0');
    const point = digits.length - rounded.#scale;
    const decimals = digits.slice(point);
    const shown = places === undefined ? decimals.replace(/0+$/, '') : decimals.padEnd(places, '0');
    const whole = `${this.#coefficient < 0 ? '-' : ''}${digits.slice(0, point)}`;
    return shown === '' ? whole : `${whole}.${shown}`;
  }

  /** As `toFixed`, for template texts. */
  toString(): string {
    return this.toFixed();
  }

  /** The coefficient for more decimals; not a safe integer when it does not fit. */
  #at(scale: number): number {
    return scale === this.#scale
      ? this.#coefficient
      : this.#coefficient * powers[scale - this.#scale]!;
  }

  #asBig(): Big {
    this.#big ??= shifted(this.#coefficient, this.#scale);
    return this.#big;
  }
}

/** Minus half a unit of the last place. */
function halfOf(places: number): Big {
  return new Big(-5).times(new Big(10).pow(-places - 1));
}

function exact(value: Exact | number): Exact {
  if (typeof value !== 'number') return value;
  return Number.isSafeInteger(value) ? Exact.of(value, 0) : Exact.from(new Big(value));
}

function fits(coefficient: number): boolean {
  return coefficient <= safeMax && coefficient >= -safeMax;
}

function shifted(coefficient: number, scale: number): Big {
  const big = new Big(coefficient);
  // A power of ten only moves the point.
  if (big.c[0] !== 0) big.e -= scale;
  return big;
}
