const cached = new Map<string, { operation: string; summary: string }>()
/** Statements that depend on their input, such as filters, have many texts. */
const maxCached = 2_000
const maxTables = 3

const operations = /\b(select|insert|update|delete|merge|lock|copy|notify|truncate|create|alter|drop|analyze)\b/i
const name = String.raw`((?:"[^"]+"|[a-z_]\w*)(?:\.(?:"[^"]+"|[a-z_]\w*))?)(?![\w".])`
/** A name before a parenthesis is a function, except after `into`. */
const tables = new RegExp(
  String.raw`\b(?:into\s+${name}|(?:from|join|(?<!for\s+)update|table)\s+(?:only\s+)?${name}(?!\s*\())`,
  'gi',
)
const strings = /'(?:[^']|'')*'/g
/** Other uses of `from`. */
const otherFrom = /\bdistinct\s+from\b|\bextract\s*\([^()]*\)/gi
const aliases = /\b([a-z_]\w*)\s+as\s+(?:not\s+)?(?:materialized\s+)?\(/gi
const notTables: ReadonlySet<string> = new Set(['lateral', 'select', 'set'])

/** The kind of a statement and the tables it names, such as `SELECT auth.users auth.sessions`, without values and columns. */
export function summarizeStatement(text: string): { operation: string; summary: string } {
  const known = cached.get(text)
  if (known) return known
  const bare = text.replaceAll(strings, '?').replaceAll(otherFrom, ' ')
  const defined = new Set([...bare.matchAll(aliases)].map(([, alias]) => alias?.toLowerCase()))
  const named = [...bare.matchAll(tables)]
    .map(([, into, other]) => (into ?? other ?? '').replaceAll('"', ''))
    .filter((table) => !notTables.has(table.toLowerCase()) && !defined.has(table.toLowerCase()))
  const operation = (operations.exec(withoutParentheses(bare))?.[1] ?? 'other').toUpperCase()
  const summary = [operation, ...[...new Set(named)].slice(0, maxTables)].join(' ')
  if (cached.size >= maxCached) cached.clear()
  cached.set(text, { operation, summary })
  return { operation, summary }
}

/** The outer statement. */
function withoutParentheses(text: string): string {
  const shorter = text.replaceAll(/\([^()]*\)/g, ' ')
  return shorter === text ? text : withoutParentheses(shorter)
}
