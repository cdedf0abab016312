import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { queryRows } from '#server/db/database.ts'
import { memberNameSql } from '#server/db/member-name.ts'
import type { Deps } from '#server/feature.ts'
import { planOfProduct } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import {
  downloadClaims,
  openDownload,
  sealDownload,
  streamCsv,
} from '#server/features/identity/auth/sessions/staff-download.ts'
import { getsEmailSql } from '#server/features/publishing/newsletters/gets-email-sql.ts'
import { newsletterNamesSql } from '#server/features/publishing/newsletters/newsletter-names-sql.ts'
import { statusSql } from '#server/features/publishing/segments/filter-sql.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import { csvHeader, csvRow } from '#server/http/csv.ts'
import type { AppEnv, Caller } from '#server/http/principal.ts'
import { adminExportMembersCall, type BulkTarget } from '#shared/contracts/operations/bulk-actions.ts'
import { type CustomField, type FieldValues, fieldValueCell } from '#shared/domain/custom-fields.ts'
import { type MemberStatus, memberStatuses } from '#shared/domain/member-filter.ts'
import { planOf } from '#shared/domain/plans.ts'
import { optionLabel, type Questions } from '#shared/domain/preferences.ts'
import { questionName } from '#shared/domain/questions.ts'
import { selectionText, targetSql } from './bulk-actions.ts'
import { readStoredAnswers } from './stored-answers.ts'

type ExportDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock'>

const purpose = 'members export'
const { roles } = adminExportMembersCall
const link = { purpose, schema: adminExportMembersCall.input.extend(downloadClaims), roles }

/** A link that works without a bearer token. It is sealed and ends with the session or role. */
export async function createMembersExport(deps: ExportDeps, who: Caller, target: BulkTarget) {
  const { config, database, clock } = deps
  const note = await selectionText(config, database.db, target)
  await recordAdminEvent(database.db, who, { event: 'members_exported', note, now: clock() })
  const token = sealDownload(deps, purpose, { target, sessionId: who.sessionId })
  return { url: `${config.publicUrl}/exports/members/${token}` }
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
  'Gets email',
  questionName(publication, 'focusAreas'),
  questionName(publication, 'goals'),
  questionName(publication, 'aiLevel'),
  questionName(publication, 'franchiseType'),
  'Locations',
  'Tags',
  'Newsletters',
]

export const memberExportRoutes = (deps: ExportDeps) =>
  new Hono<AppEnv>().get('/exports/members/:token', async (c) => {
    const { target, sessionId } = await openDownload(deps, link, c.req.param('token'))
    const fields = await readCustomFields(deps.database.db)
    return streamCsv<Row>(
      c,
      deps,
      { sessionId, roles },
      {
        name: `members-${deps.clock().toISOString().slice(0, 10)}.csv`,
        header: csvHeader([...header(deps.config.settings.publication), ...fields.map(columnOf)]),
        after: '00000000-0000-0000-0000-000000000000',
        readPage: (after, limit) => readPage(deps, target, { after, limit }),
        lineOf: (row) => csvRow([...cellsOf(deps.config, row), ...fieldCells(fields, row)]),
      },
    )
  })

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
  gets_email: boolean
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

async function readPage(
  { config, database, clock }: ExportDeps,
  target: BulkTarget,
  { after, limit }: { after: string; limit: number },
): Promise<Row[]> {
  const now = clock()
  const { status, productId } = statusSql(config, now)
  const text = (instant: ReturnType<typeof sql>) =>
    sql`case when isfinite(${instant}) then to_json(${instant}) #>> '{}' end`
  return queryRows<Row>(
    database.db,
    sql`select f.user_id::text as id, coalesce(u.email, '') as email, ${memberNameSql} as name,
        ${text(sql`f.created_at`)} as joined, ${status} as status, ${productId} as product_id,
        ${text(sql`f.renews_at`)} as renews, ${text(sql`f.last_active_at`)} as active, f.email_confirmed, f.suppressed,
        ${getsEmailSql} as gets_email, f.answers, f.franchise_type, f.locations, f.tags, v.values,
        ${newsletterNamesSql(sql`f.user_id`)} as newsletters
      from member_facts f join auth.users u on u.id = f.user_id
        left join custom_field_values v on v.user_id = f.user_id
        left join email_preferences p on p.user_id = f.user_id
      where f.user_id > ${after}::uuid and ${targetSql(config, target, now)} order by f.user_id limit ${limit}`,
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
    yes(row.gets_email),
    areas.join(', '),
    goals.join(', '),
    levels.join(', '),
    row.franchise_type ? optionLabel(config.settings.publication, 'franchiseType', row.franchise_type) : '',
    String(row.locations),
    row.tags.join(', '),
    row.newsletters ?? '',
  ]
}
