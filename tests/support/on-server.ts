import pg from 'pg'

/** Runs a statement that can't run in a transaction, such as `create database`. */
export async function onServer(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
