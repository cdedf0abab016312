import pg from 'pg'

/** One statement that no transaction may hold, such as making a database. */
export async function onServer(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
