import pg from 'pg'

type Statement = { text: string; values: unknown[] }

/** Runs `work` and returns the writes that it sent to PostgreSQL, including begin and commit. */
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

/** Sends the statements again as prepared statements, replacing the values that identify an event. */
export async function replay(
  client: pg.Client,
  name: string,
  statements: readonly Statement[],
  replacements: ReadonlyMap<unknown, unknown>,
): Promise<void> {
  for (const [index, { text, values }] of statements.entries()) {
    await client.query({
      name: `${name}-${index}`,
      text,
      values: values.map((value) => (replacements.has(value) ? replacements.get(value) : value)),
    })
  }
}
