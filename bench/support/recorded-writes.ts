import pg from 'pg'

type Statement = { text: string; values: unknown[] }

/** Runs `work` and returns the writing statements that it sent to PostgreSQL, transactions' ends included. */
export async function recordWrites(work: () => Promise<unknown>): Promise<Statement[]> {
  const recorded: Statement[] = []
  const { prototype } = pg.Client
  const { query } = prototype
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args
    const given = typeof first === 'string' ? { text: first } : (first as { text: string; values?: unknown[] })
    const values = given.values ?? (Array.isArray(second) ? second : [])
    if (/^\s*(insert|update|delete|begin|commit)/i.test(given.text)) recorded.push({ text: given.text, values })
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof query
  try {
    await work()
  } finally {
    prototype.query = query
  }
  return recorded
}

/** The same statements once more, bare and prepared, with other values in the place of those that name one event. */
export async function replay(
  client: pg.Client,
  name: string,
  statements: readonly Statement[],
  inPlaceOf: ReadonlyMap<unknown, unknown>,
): Promise<void> {
  for (const [index, { text, values }] of statements.entries()) {
    await client.query({
      name: `${name}-${index}`,
      text,
      values: values.map((value) => (inPlaceOf.has(value) ? inPlaceOf.get(value) : value)),
    })
  }
}
