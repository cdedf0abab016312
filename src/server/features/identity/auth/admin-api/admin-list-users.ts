import { and, eq, sql } from 'drizzle-orm'
import { counters } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { type UserRow, userColumns } from '../sessions/session-row.ts'
import { toWireUser } from '../users/user-response.ts'

const defaultPerPage = 50
const maxPerPage = 1_000
/** The database reads all skipped rows. */
const maxPage = 1_000_000

export type Page = { page: number; perPage: number }

/** Clients send empty parameters for the default. @throws AppError validation_failed */
export function readPage(page: string | undefined, perPage: string | undefined): Page {
  return {
    page: Math.min(readCount(page, 1, 'page'), maxPage),
    perPage: Math.min(readCount(perPage, defaultPerPage, 'per_page'), maxPerPage),
  }
}

function readCount(given: string | undefined, otherwise: number, name: string): number {
  if (!given || given === '0') return otherwise
  if (!/^\d{1,9}$/.test(given))
    throw new AppError('validation_failed', { message: `Bad Pagination Parameters: ${name} must be a positive number` })
  return Number(given)
}

// Selects the page from the index, then reads only its users in full.
const statement = `select ${userColumns}
  from (select id from auth.users order by created_at desc nulls last, id desc nulls last limit $1 offset $2) page
    join auth.users u on u.id = page.id
  order by u.created_at desc nulls last, u.id desc nulls last`

/** Newest first. The total is a counter that triggers maintain. */
export async function listUsers({ database }: Pick<AuthDeps, 'database'>, { page, perPage }: Page) {
  const rows = await database.prepared<UserRow>('auth-admin-users', statement, [perPage, (page - 1) * perPage])
  const [count] = await database.db
    .select({ total: sql<number>`coalesce(sum(${counters.value}), 0)::int` })
    .from(counters)
    .where(and(eq(counters.name, 'users_total'), sql`${counters.bucket} = 'epoch'::timestamptz`))
  return { users: rows.map(toWireUser), total: count?.total ?? 0 }
}

/** `page` comes first, because auth-js reads the page number after the first `=` of each link. */
export function pageLinks(address: string, { page, perPage }: Page, total: number): string {
  const last = Math.max(1, Math.ceil(total / perPage))
  const link = (to: number, rel: string) => `<${address}?page=${to}&per_page=${perPage}>; rel="${rel}"`
  return [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', ')
}
