import { sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { getsEmailSql } from '#server/features/publishing/newsletters/gets-email-sql.ts'
import type { ImportOptions } from '#shared/contracts/operations/member-import.ts'
import type { FieldValues } from '#shared/domain/custom-fields.ts'
import type { ImportedMember } from '#shared/domain/read-import-row.ts'
import { type MemberPlan, planMember, type StoredMember } from './plan-member.ts'

type StagedRow = { line: number; member: ImportedMember }
export type PlannedRow = MemberPlan & {
  line: number
  member: ImportedMember
  userId: string
  /** Values that the member lacks, by field id. */
  missingFields: FieldValues
}

/** The next rows after `cursor` that aren't refused. */
export const readRows = (db: Db | Tx, importId: string, cursor: number, limit: number): Promise<StagedRow[]> =>
  queryRows<StagedRow>(
    db,
    sql`select line, member from member_import_rows
      where import_id = ${importId}::uuid and line > ${cursor} and problem is null order by line limit ${limit}`,
  )

type StoredRow = {
  email: string
  userId: string
  name: string | null
  tags: string[]
  notes: string[]
  answers: Record<string, string>
  preferences: { goals: string[]; franchiseType: string | null } | null
  fields: FieldValues
  getsEmail: boolean
  complimentaryUntil: string | null
  hasStripeCustomer: boolean
}

/** Compares rows with what is stored. The check and the import both use it. */
export async function planRows(
  db: Db | Tx,
  rows: readonly StagedRow[],
  { options, now }: { options: ImportOptions; now: Date },
): Promise<PlannedRow[]> {
  const emails = rows.map(({ member }) => member.email)
  const list = sql`${sql.param(emails)}::text[]`
  const stored = await queryRows<StoredRow>(
    db,
    sql`select u.email, u.id as "userId",
        coalesce(nullif(u.raw_user_meta_data ->> 'full_name', ''), u.raw_user_meta_data ->> 'name') as name,
        array(select t.tag from member_tags t where t.user_id = u.id) as tags,
        array(select n.text from member_notes n where n.user_id = u.id) as notes,
        coalesce(b.values, '{}'::jsonb) as answers, coalesce(v.values, '{}'::jsonb) as fields,
        case when a.user_id is not null
          then jsonb_build_object('goals', a.goals, 'franchiseType', a.franchise_type) end as preferences,
        ${getsEmailSql} as "getsEmail",
        c.until::text as "complimentaryUntil",
        bc.stripe_customer_id is not null or i.user_id is not null as "hasStripeCustomer"
      from auth.users u
      left join business_profile b on b.user_id = u.id
      left join custom_field_values v on v.user_id = u.id
      left join user_preferences a on a.user_id = u.id
      left join email_preferences p on p.user_id = u.id
      left join complimentary_access c on c.user_id = u.id
      left join billing_customer bc on bc.user_id = u.id
      left join imported_stripe_customer i on i.user_id = u.id
      where u.email = any(${list}) and u.is_sso_user = false`,
  )
  const suppressed = await queryRows<{ email: string }>(
    db,
    sql`select distinct email from suppressions
      where email = any(${list}) and (stream = 'all' or reason = 'complaint')`,
  )
  const wasSuppressed = new Set(suppressed.map(({ email }) => email))
  const byEmail = new Map(
    stored.map(({ email, complimentaryUntil, ...row }): [string, StoredMember] => [
      email,
      {
        ...row,
        wasSuppressed: wasSuppressed.has(email),
        complimentaryUntil: complimentaryUntil === null ? null : new Date(complimentaryUntil),
      },
    ]),
  )
  return rows.map(({ line, member }) => {
    const withTag = options.tag ? { ...member, tags: [...new Set([...member.tags, options.tag])] } : member
    const known = byEmail.get(member.email) ?? null
    // The tag marks members created by this import, so existing members don't get it.
    const plan = planMember(known ? member : withTag, known, options, now)
    const missingFields = Object.fromEntries(
      Object.entries(member.fields ?? {}).filter(([id]) => !(id in (known?.fields ?? {}))),
    )
    const userId = known?.userId ?? crypto.randomUUID()
    return { ...plan, line, member: known ? member : withTag, userId, missingFields }
  })
}

/** Stores what the rows do, for counts and examples. */
export async function storeOutcomes(tx: Tx, importId: string, planned: readonly PlannedRow[]): Promise<void> {
  const given = planned.map(({ line, outcome, changes }) => ({ line, outcome, changes }))
  await tx.execute(sql`update member_import_rows r set outcome = g.outcome,
      changes = array(select jsonb_array_elements_text(g.changes))
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (line int, outcome text, changes jsonb)
    where r.import_id = ${importId}::uuid and r.line = g.line`)
}
