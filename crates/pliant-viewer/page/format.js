/** Formatting and parsing of numbers. */

const PREFIXES = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];

/** `value` with `count` significant digits, without an exponent and without trailing zeros. */
export function digits(value, count = 3) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const places = Math.max(0, count - 1 - Math.floor(Math.log10(Math.abs(value))));
  const text = value.toFixed(Math.min(12, places));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** `value` with an SI prefix: 3e5 becomes "300 k". */
export function prefixed(value, count = 3) {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) < 1e-9) return '0 ';
  if (Math.abs(value) >= 1e12) return `${scientific(value)} `;
  const size = Math.abs(value) * (1 + 1e-9);
  const [factor, prefix] = PREFIXES.find(([factor]) => size >= factor) ?? PREFIXES.at(-1);
  return `${digits(value / factor, count)} ${prefix}`;
}

/** Parses a number such as "3e5" or "300 kPa". Without `si`, letters are units only. Returns NaN for invalid text. */
export function parse(text, si = true) {
  const match = /^\s*([-+]?[\d.,]+(?:e[-+]?\d+)?)\s*([GMkmµun]?)/i.exec(text);
  if (!match) return NaN;
  const prefix = match[2] === 'u' ? 'µ' : match[2];
  if (!si) return Number(match[1].replace(',', '.'));
  const factor = PREFIXES.find(([, name]) => name === prefix)?.[0] ?? NaN;
  return Number(match[1].replace(',', '.')) * factor;
}

/** A count with thin spaces between thousands. */
export function count(value) {
  return Number.isFinite(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f') : '–';
}

/** A small number as 3·10⁻⁵. */
export function scientific(value) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const [mantissa, exponent] = value.toExponential(1).split('e');
  const raised = String(Number(exponent)).replace(/./g, (c) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(c)]);
  return `${mantissa}·10${raised}`;
}

/** Seconds as 0:02.45. */
export function clock(seconds) {
  const whole = Math.floor(seconds / 60);
  return `${whole}:${(seconds - 60 * whole).toFixed(2).padStart(5, '0')}`;
}

/** A message as a sentence: starts with a capital letter, with quotes instead of backticks. */
export function sentence(text) {
  const quoted = text.replace(/`([^`]*)`/g, '“$1”');
  return quoted.charAt(0).toUpperCase() + quoted.slice(1);
}
