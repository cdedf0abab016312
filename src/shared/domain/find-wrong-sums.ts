import { createLineCounter, withoutCodeAndAddresses } from './prose-lines.ts'

export type WrongSum = {
  line: number
  /** From the first number to the result, as written. */
  written: string
  /** The right result, in the format of the written one. */
  result: string
}

type Token =
  | { kind: 'number'; value: number; written: string; isPercent: boolean; isAbout: boolean; at: number; end: number }
  | { kind: '+' | '−' | '×' | '÷' | '(' | ')' | '=' | 'end'; at: number; end: number }
type NumberToken = Extract<Token, { kind: 'number' }>

const pattern =
  /(?<end>[|;]|\n(?=[^\S\n]*(?:\n|$|[-*+>#|]|\d+[.)]\s)))|(?<about>(?:\b(?:about|around|roughly|nearly|almost)\s+|≈\s*)?)(?<![\p{L}\d_.,:/-])(?<number>\$?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?<=\d))(?!\d|:\d|(?:st|nd|rd|th)\b)(?<thousands>[kK]\b)?(?<percent>\s?%(?<of>\s+of\b)?)?|(?<sign>[+−×÷()=])/gu

/** Equations whose result differs from what is written by more than half a unit of its last digit. */
export function findWrongSums(markdown: string): WrongSum[] {
  const text = withoutCodeAndAddresses(markdown)
  const tokens = tokensOf(text)
  const lineAt = createLineCounter(text)
  return tokens.flatMap((token, index) => {
    if (token.kind !== '=') return []
    const left = expressionBefore(tokens, index)
    const right = tokens[index + 1]
    if (!left || right?.kind !== 'number') return []
    const values = [evaluate(left)]
    const accepted = [right, ...continued(tokens, index + 1)]
    if (values.some((value) => !Number.isFinite(value))) return []
    if (values.some((value) => accepted.some((result) => isRounded(value, result)))) return []
    const [first] = left
    const lineStart = first?.at ?? token.at
    return [
      {
        line: lineAt(token.at),
        written: markdown.slice(lineStart, right.end).replaceAll(/\s+/g, ' '),
        result: format(values[0] ?? 0, right),
      },
    ]
  })
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(pattern)].flatMap((match): Token[] => {
    const { groups = {}, index: at } = match
    const end = at + match[0].length
    if (groups.end !== undefined) return [{ kind: 'end', at, end }]
    if (groups.sign) return [{ kind: groups.sign as '+', at, end }]
    const written = groups.number ?? ''
    const value = Number(written.replaceAll(/[$,]/g, '')) * (groups.thousands ? 1000 : 1)
    const number: Token = {
      kind: 'number',
      value,
      written,
      isPercent: groups.percent !== undefined,
      isAbout: Boolean(groups.about),
      at: at + (groups.about?.length ?? 0),
      end,
    }
    // "6% of $500" is a product.
    return groups.of === undefined ? [number] : [number, { kind: '×', at: end, end }]
  })
}

const isOperator = (kind: Token['kind'] | undefined) => kind === '+' || kind === '−' || kind === '×' || kind === '÷'

/** The longest expression that ends at `end`: numbers joined by operators, or null if there is no operator. */
function expressionBefore(tokens: readonly Token[], end: number): Token[] | null {
  let from = end
  let depth = 0
  while (from > 0) {
    const token = tokens[from - 1]
    const next = from < end ? tokens[from]?.kind : undefined
    if (!token || token.kind === 'end' || token.kind === '=') break
    // Two operands without an operator between them belong to different sums.
    const isOperand = token.kind === 'number' || token.kind === ')'
    if (isOperand && (next === 'number' || next === '(')) break
    if (token.kind === ')') depth += 1
    if (token.kind === '(' && depth === 0) break
    if (token.kind === '(') depth -= 1
    from -= 1
  }
  const expression = tokens.slice(from, end)
  while (isOperator(expression[0]?.kind)) expression.shift()
  const isWhole = depth === 0 && expression.at(-1)?.kind !== undefined && !isOperator(expression.at(-1)?.kind)
  return isWhole && expression.some(({ kind }) => isOperator(kind)) ? expression : null
}

/** The result as a calculation that goes on: "4 × $6 = $24 − $5 = $19". */
function continued(tokens: readonly Token[], from: number): NumberToken[] {
  const result = tokens[from]
  let end = from + 1
  while (isOperator(tokens[end]?.kind) && tokens[end + 1]?.kind === 'number') end += 2
  if (end === from + 1 || result?.kind !== 'number') return []
  return [{ ...result, value: evaluate(tokens.slice(from, end)) }]
}

function evaluate(tokens: readonly Token[]): number {
  let at = 0
  const factor = (): number => {
    const token = tokens[at]
    at += 1
    if (token?.kind === 'number') return token.isPercent ? token.value / 100 : token.value
    if (token?.kind !== '(') return Number.NaN
    const value = sum()
    at += 1
    return value
  }
  const product = (): number => {
    let value = factor()
    for (let kind = tokens[at]?.kind; kind === '×' || kind === '÷'; kind = tokens[at]?.kind) {
      at += 1
      value = kind === '×' ? value * factor() : value / factor()
    }
    return value
  }
  const sum = (): number => {
    let value = product()
    for (let kind = tokens[at]?.kind; kind === '+' || kind === '−'; kind = tokens[at]?.kind) {
      at += 1
      value = kind === '+' ? value + product() : value - product()
    }
    return value
  }
  return sum()
}

const decimalsOf = (written: string) => /\.(\d+)$/.exec(written)?.[1]?.length ?? 0

/** Half a unit of the last digit shown; of the last digit that isn't zero after "about". */
function toleranceOf({ written, isAbout }: NumberToken): number {
  const decimals = decimalsOf(written)
  const zeros = isAbout && decimals === 0 ? (/0*$/.exec(written.replaceAll(',', ''))?.[0].length ?? 0) : 0
  return 0.5 * 10 ** (zeros - decimals) + 1e-9
}

function isRounded(value: number, result: NumberToken): boolean {
  const tolerance = toleranceOf(result) * (1 + 1e-9)
  const isClose = (given: number) => Math.abs(Math.abs(given) - Math.abs(result.value)) <= tolerance
  return isClose(value) || (result.isPercent && isClose(value * 100))
}

function format(value: number, { written, isPercent }: NumberToken): string {
  const digits = { minimumFractionDigits: decimalsOf(written), maximumFractionDigits: Math.max(decimalsOf(written), 2) }
  const shown = (isPercent ? value * 100 : value).toLocaleString('en-US', digits)
  return `${written.startsWith('$') ? '$' : ''}${shown}${isPercent ? '%' : ''}`
}
