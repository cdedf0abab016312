import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import { memberNameSql } from '#server/db/member-name.ts'
import { queryRows } from '#server/db/query-rows.ts'
import type { Deps } from '#server/deps.ts'
import { planOfProduct } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { actorOf, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import {
  isStaffSession,
  requireStaffSession,
  stoppedLine,
} from '#server/features/identity/auth/sessions/require-staff-session.ts'
import { newsletterNamesSql } from '#server/features/publishing/newsletters/newsletter-names-sql.ts'
import { statusSql } from '#server/features/publishing/segments/filter-sql.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import { csvRow } from '#server/http/csv.ts'
import type { Principal } from '#server/http/principal.ts'
import type { CallRequest } from '#server/http/product-calls.ts'
import { adminExportMembersCall, type BulkTarget } from '#shared/contracts/operations/bulk-actions.ts'
import { type CustomField, type FieldValues, fieldValueCell } from '#shared/domain/custom-fields.ts'
import { type MemberStatus, memberStatuses } from '#shared/domain/member-filter.ts'
import { planOf } from '#shared/domain/plans.ts'
import { optionLabel, type Questions } from '#shared/domain/preferences.ts'
import { questionName } from '#shared/domain/questions.ts'
import { AppError } from '#shared/errors.ts'
import { selectionText, targetSql } from './bulk-actions.ts'
import { readStoredAnswers } from './stored-answers.ts'

type ExportDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock'>

/** Long enough to click the link. */
const linkMs = 5 * 60 * 1000
const purpose = 'members export'
const pageSize = 1_000
const claimsSchema = adminExportMembersCall.input.extend({ sessionId: z.uuid(), expiresAt: z.number() })

/** A link that works without a bearer token. It is sealed and ends with the session or role. @throws AppError step_up_required */
export async function createMembersExport(
  { config, database, secrets, clock }: ExportDeps,
  who: Principal,
  target: BulkTarget,
  request: CallRequest,
) {
  await requireStepUp({ config, database, clock }, who)
  const now = clock()
  const event = { event: 'members_exported', note: await selectionText(config, database.db, target), now } as const
  await recordAdminEvent(database.db, actorOf(who, request), event)
  const claims = { target, sessionId: who.sessionId, expiresAt: now.getTime() + linkMs }
  return { url: `${config.publicUrl}/exports/members/${secrets.seal(purpose, JSON.stringify(claims))}` }
}

const header = (publication: Questions) => [
  'Email',
  'Name',
  'Joined',
  'Status',
  'Plan',
  'Renews',
  'Last active',
  'Email confirmed',
  'Email suppressed',
  questionName(publication, 'focusAreas'),
  questionName(publication, 'goals'),
  questionName(publication, 'aiLevel'),
  questionName(publication, 'franchiseType'),
  'Locations',
  'Tags',
  'Newsletters',
]

/** Streams the members as CSV, one page at a time in the order of their ids. */
export const memberExportRoutes = (deps: ExportDeps) =>
  new Hono<AppEnv>().get('/exports/members/:token', async (c) => {
    const { target, sessionId } = openClaims(deps, c.req.param('token'))
    await requireStaffSession(deps, sessionId, adminExportMembersCall.roles)
    const day = deps.clock().toISOString().slice(0, 10)
    c.header('Content-Type', 'text/csv; charset=utf-8')
    c.header('Content-Disposition', `attachment; filename="members-${day}.csv"`)
    c.header('Cache-Control', 'no-store')
    c.header('X-Robots-Tag', 'noindex')
    return stream(c, async (out) => {
      const fields = await readCustomFields(deps.database.db)
      await out.write(csvRow([...header(deps.config.settings.publication), ...fields.map(columnOf)]))
      let after: string | undefined = '00000000-0000-0000-0000-000000000000'
      while (after !== undefined && !out.aborted) {
        if (!(await isStaffSession(deps, sessionId, adminExportMembersCall.roles))) {
          await out.write(stoppedLine)
          return
        }
        const rows: Row[] = await readPage(deps, target, after)
        await out.write(rows.map((row) => csvRow([...cellsOf(deps.config, row), ...fieldCells(fields, row)])).join(''))
        after = rows.length === pageSize ? rows.at(-1)?.id : undefined
      }
    })
  })

/** @throws AppError not_found for a token we didn't seal, link_expired after its time */
function openClaims({ secrets, clock }: ExportDeps, token: string) {
  let claims: z.output<typeof claimsSchema>
  try {
    claims = claimsSchema.parse(JSON.parse(secrets.open(purpose, token)))
  } catch (cause) {
    throw new AppError('not_found', { cause })
  }
  if (claims.expiresAt <= clock().getTime()) throw new AppError('link_expired')
  return claims
}

type Row = {
  id: string
  email: string
  name: string | null
  joined: string
  status: MemberStatus
  product_id: string | null
  renews: string | null
  active: string | null
  email_confirmed: boolean
  suppressed: boolean
  answers: string[]
  franchise_type: string | null
  locations: number
  tags: string[]
  newsletters: string | null
  values: FieldValues | null
}

const columnOf = ({ label, retired }: CustomField) => (retired ? `${label} (retired)` : label)
const fieldCells = (fields: readonly CustomField[], { values }: Row) =>
  fields.map((field) => fieldValueCell(field, values?.[field.id]))

async function readPage({ config, database, clock }: ExportDeps, target: BulkTarget, after: string): Promise<Row[]> {
  const now = clock()
  const { status, productId } = statusSql(config, now)
  const text = (instant: ReturnType<typeof sql>) =>
    sql`case when isfinite(${instant}) then to_json(${instant}) #>> '{}' end`
  return queryRows<Row>(
    database.db,
    sql`select f.user_id::text as id, coalesce(u.email, '') as email, ${memberNameSql} as name,
        ${text(sql`f.created_at`)} as joined, ${status} as status, ${productId} as product_id,
        ${text(sql`f.renews_at`)} as renews, ${text(sql`f.last_active_at`)} as active, f.email_confirmed, f.suppressed,
        f.answers, f.franchise_type, f.locations, f.tags, v.values,
        ${newsletterNamesSql(sql`f.user_id`)} as newsletters
      from member_facts f join auth.users u on u.id = f.user_id
        left join custom_field_values v on v.user_id = f.user_id
      where f.user_id > ${after}::uuid and ${targetSql(config, target, now)} order by f.user_id limit ${pageSize}`,
  )
}

function cellsOf(config: ExportDeps['config'], row: Row): string[] {
  const plan = planOfProduct(config, row.product_id)
  const { areas, goals, levels } = readStoredAnswers(config.settings.publication, row.answers)
  const yes = (value: boolean) => (value ? 'yes' : 'no')
  return [
    row.email,
    row.name ?? '',
    row.joined,
    memberStatuses[row.status],
    plan ? planOf(config.settings.publication, plan).name : '',
    row.renews ?? '',
    row.active ?? '',
    yes(row.email_confirmed),
    yes(row.suppressed),
    areas.join(', '),
    goals.join(', '),
    levels.join(', '),
    row.franchise_type ? optionLabel(config.settings.publication, 'franchiseType', row.franchise_type) : '',
    String(row.locations),
    row.tags.join(', '),
    row.newsletters ?? '',
  ]
}
