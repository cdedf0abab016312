import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import type { Deps } from '#server/feature.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'
import { AppError } from '#shared/errors.ts'
import { isStaffSession, requireStaffSession } from './require-staff-session.ts'

type SessionDeps = Pick<Deps, 'database' | 'clock'>
type LinkDeps = SessionDeps & Pick<Deps, 'secrets'>

/** Long enough to click the link. */
const linkMs = 5 * 60 * 1000
const pageSize = 1_000

export const downloadClaims = { sessionId: z.uuid(), expiresAt: z.number() }
type DownloadClaims = z.output<z.ZodObject<typeof downloadClaims>>

/** A token for a link that works without a bearer token. It ends after five minutes, or with the session or role. */
export const sealDownload = (
  { secrets, clock }: Pick<Deps, 'secrets' | 'clock'>,
  purpose: string,
  claims: Record<string, unknown> & { sessionId: string },
): string => secrets.seal(purpose, JSON.stringify({ ...claims, expiresAt: clock().getTime() + linkMs }))

type Download<Schema> = { purpose: string; schema: Schema; roles: readonly StaffRole[] }

/** @throws AppError not_found for a token we didn't seal; link_expired after its time, or once the session or role has ended */
export async function openDownload<Schema extends z.ZodType<DownloadClaims>>(
  deps: LinkDeps,
  { purpose, schema, roles }: Download<Schema>,
  token: string,
): Promise<z.output<Schema>> {
  let claims: z.output<Schema>
  try {
    claims = schema.parse(JSON.parse(deps.secrets.open(purpose, token)))
  } catch (cause) {
    throw new AppError('not_found', { cause })
  }
  if (claims.expiresAt <= deps.clock().getTime()) throw new AppError('link_expired')
  await requireStaffSession(deps, claims.sessionId, roles)
  return claims
}

/** The last line of a CSV file that isn't complete, so that no one takes it for the whole list. */
const stoppedLine = 'Stopped: your role or session has ended. This list is incomplete.\r\n'

type CsvFile<Row> = {
  name: string
  header: string
  /** Sorts before the ids of all rows. */
  after: string
  readPage: (after: string, limit: number) => Promise<Row[]>
  lineOf: (row: Row) => string
}

/** Streams rows as CSV, one page at a time in the order of their ids, while the session and its role last. */
export function streamCsv<Row extends { id: string }>(
  c: Context,
  deps: SessionDeps,
  { sessionId, roles }: { sessionId: string; roles: readonly StaffRole[] },
  { name, header, after: first, readPage, lineOf }: CsvFile<Row>,
): Response {
  c.header('Content-Type', 'text/csv; charset=utf-8')
  c.header('Content-Disposition', `attachment; filename="${name}"`)
  c.header('Cache-Control', 'no-store')
  c.header('X-Robots-Tag', 'noindex')
  return stream(c, async (out) => {
    await out.write(header)
    let after: string | undefined = first
    while (after !== undefined && !out.aborted) {
      if (!(await isStaffSession(deps, sessionId, roles))) {
        await out.write(stoppedLine)
        return
      }
      const rows: Row[] = await readPage(after, pageSize)
      await out.write(rows.map(lineOf).join(''))
      after = rows.length === pageSize ? rows.at(-1)?.id : undefined
    }
  })
}
