type Value = number | string
type Operand = Value | Value[]
/** Values of a cell or range, such as `B2`, `$B$10`, `Log!H2:H101` or `'Start here'!$B$10`. */
export type ReadCells = (reference: string) => Value[]

const token =
  /\s*("[^"]*"|(?:'[^']+'!|[A-Za-z]+!)?\$?[A-Z]+\$?\d+(?::\$?[A-Z]+\$?\d+)?|[A-Z]+(?=\()|\d+(?:\.\d+)?|<>|<=|>=|[-+*/=<>(),])/y

/** Empty cells count as 0, as in a spreadsheet. */
const asNumber = (value: Operand | undefined): number => {
  const one = Array.isArray(value) ? value[0] : value
  if (one === '' || one === undefined) return 0
  if (typeof one !== 'number') throw new Error(`${one} is no number`)
  return one
}
const single = (value: Operand | undefined): Value => (Array.isArray(value) ? (value[0] ?? '') : (value ?? ''))
const numbersOf = (values: Operand[]) => values.flat().filter((value): value is number => typeof value === 'number')
const asList = (value: Operand | undefined): Value[] => (Array.isArray(value) ? value : [value ?? ''])

const functions: Record<string, (values: Operand[]) => Value> = {
  IF: ([test, yes, no]) => (asNumber(test) ? single(yes) : single(no)),
  AND: (values) => Number(values.every((value) => asNumber(value) !== 0)),
  OR: (values) => Number(values.some((value) => asNumber(value) !== 0)),
  ABS: ([value]) => Math.abs(asNumber(value)),
  ROUND: ([value, digits]) => Number(`${Math.round(Number(`${asNumber(value)}e${digits}`))}e-${digits}`),
  SUM: (values) => numbersOf(values).reduce((sum, value) => sum + value, 0),
  SUMPRODUCT: ([one, other]) =>
    asList(one).reduce((sum: number, value, index) => sum + asNumber(value) * asNumber(asList(other)[index]), 0),
  COUNTIF: ([values, wanted]) => asList(values).filter((value) => value === wanted).length,
}

const operators: Record<string, (one: Operand, other: Operand) => Value> = {
  '+': (one, other) => asNumber(one) + asNumber(other),
  '-': (one, other) => asNumber(one) - asNumber(other),
  '*': (one, other) => asNumber(one) * asNumber(other),
  '/': (one, other) => asNumber(one) / asNumber(other),
  '=': (one, other) => Number(single(one) === single(other)),
  '<>': (one, other) => Number(single(one) !== single(other)),
}
const levels = [
  ['=', '<>'],
  ['+', '-'],
  ['*', '/'],
] as const

/** Calculates a formula of our workbooks. A function that they don't use is an error. */
export function evaluateFormula(formula: string, read: ReadCells): Value {
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < formula.length) {
    const found = token.exec(formula)
    if (!found?.[1]) throw new Error(`Can’t read ${formula}`)
    tokens.push(found[1])
  }
  const take = (wanted: string) => {
    const next = tokens.shift()
    if (next !== wanted) throw new Error(`${formula}: ${wanted} instead of ${next}`)
  }
  function parse(level: number): Operand {
    const symbols: readonly string[] | undefined = levels[level]
    if (!symbols) return parseOne()
    let value = parse(level + 1)
    while (symbols.includes(tokens[0] ?? '')) {
      const apply = operators[tokens.shift() ?? '']
      const other = parse(level + 1)
      value = apply ? apply(value, other) : value
    }
    return value
  }
  function parseOne(): Operand {
    const next = tokens.shift() ?? ''
    if (next.startsWith('"')) return next.slice(1, -1)
    if (/^\d/.test(next)) return Number(next)
    const apply = functions[next]
    if (!apply) return read(next)
    const values: Operand[] = []
    do {
      tokens.shift() // the parenthesis or a comma
      values.push(parse(0))
    } while (tokens[0] === ',')
    take(')')
    return apply(values)
  }
  const value = parse(0)
  if (tokens.length > 0) throw new Error(`${formula}: ${tokens.join(' ')} is left`)
  return single(value)
}
