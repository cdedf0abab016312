import { sql } from 'drizzle-orm'
import { type Database, queryRows } from '#server/db/database.ts'
import { migrationLock } from '#server/db/migration-lock.ts'

export type UpdateState = {
  /** True while a server migrates the database. */
  isMigrating: boolean
  /** Running servers by version; null for versions that don't say theirs. */
  versions: { version: string | null; servers: number; since: Date }[]
  /** Backfills that aren't done. */
  backfills: { name: string; rows: number; updatedAt: Date }[]
}

/** A server that stopped without saying so is forgotten after a minute. */
const maxSilentSeconds = 60

export async function readUpdate({ db }: Pick<Database, 'db'>): Promise<UpdateState> {
  const [[lock], versions, backfills] = await Promise.all([
    queryRows<{ held: boolean }>(
      db,
      sql`select exists (select 1 from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${migrationLock}
        and granted and database = (select oid from pg_database where datname = current_database())) as held`,
    ),
    queryRows<{ version: string | null; servers: number; since: string | Date }>(
      db,
      sql`select version, count(*)::int as servers, min(started_at) as since from senders
        where heartbeat_at > now() - make_interval(secs => ${maxSilentSeconds}) group by version order by version nulls first`,
    ),
    queryRows<{ name: string; rows: string | number; updated: string | Date }>(
      db,
      sql`select name, handled_rows as rows, updated_at as updated from backfills
        where status = 'open' order by created_at, name`,
    ),
  ])
  return {
    isMigrating: lock?.held ?? false,
    versions: versions.map(({ since, ...version }) => ({ ...version, since: new Date(since) })),
    backfills: backfills.map(({ name, rows, updated }) => ({ name, rows: Number(rows), updatedAt: new Date(updated) })),
  }
}
