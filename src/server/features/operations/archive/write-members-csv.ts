import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { newsletterNamesSql } from '#server/features/publishing/newsletters/newsletter-names-sql.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import { readQuestions } from '#server/features/reader/preferences/question-store.ts'
import { withoutFormula } from '#server/http/csv.ts'
import { type FieldValues, fieldValueCell } from '#shared/domain/custom-fields.ts'
import { optionLabel, optionLabels, type Questions } from '#shared/domain/preferences.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'
import { words } from '#shared/domain/words.ts'
import { readInBatches } from './table-rows.ts'

/** Columns of Ghost's member import first, under Ghost's names; it ignores the others. */
const columns = words(`
  email name note subscribed_to_emails complimentary_plan stripe_customer_id created_at labels id email_confirmed_at
  disabled plan_status plan_product_id plan_price_id access_until complimentary_until team_owner drops news
  follow_ups newsletters tracking focus_areas ai_level goals franchise_type
`)

type Column = (typeof columns)[number]
type Row = Record<Column, string | string[] | boolean | null> & { values: FieldValues | null }

const questionOfColumn: Partial<Record<Column, QuestionName>> = {
  focus_areas: 'focusAreas',
  ai_level: 'aiLevel',
  goals: 'goals',
  franchise_type: 'franchiseType',
}

/** Answers as their labels. */
function wordsOf(publication: Questions, name: Column, value: Row[Column]): string | boolean | null {
  const question = questionOfColumn[name]
  if (Array.isArray(value)) return (question ? optionLabels(publication, question, value) : value).join(',')
  return question && typeof value === 'string' ? optionLabel(publication, question, value) : value
}

/** `members.csv`: everyone with an account, in the order of their ids. Spreadsheets don't run its texts as formulas. */
export async function* membersCsv(tx: Tx, now: Date): AsyncGenerator<string> {
  const fields = await readCustomFields(tx)
  const publication = { questions: await readQuestions(tx) }
  yield `\ufeff${line([...columns, ...fields.map(({ key }) => `field_${key}`)])}`
  for await (const rows of readInBatches<Row>(tx, membersQuery(now))) {
    yield rows
      .map((row) =>
        line([
          ...columns.map((name) => wordsOf(publication, name, row[name])),
          ...fields.map((field) => fieldValueCell(field, row.values?.[field.id])),
        ]),
      )
      .join('')
  }
}

const line = (cells: readonly (string | boolean | null)[]) => `${cells.map(cell).join(',')}\r\n`

const cell = (value: string | boolean | null) => {
  const text = value === null ? '' : withoutFormula(String(value))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** ISO 8601 with milliseconds, as Ghost expects. */
const iso = (column: SQL) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const nameIn = (key: SQL) =>
  sql`case when jsonb_typeof(u.raw_user_meta_data -> ${key}) = 'string' then nullif(trim(u.raw_user_meta_data ->> ${key}), '') end`

/** A cursor takes no parameters, so the time is part of the statement. */
const membersQuery = (now: Date): SQL => sql`
  select u.email,
    coalesce(${nameIn(sql`'full_name'`)}, ${nameIn(sql`'name'`)}) as name,
    (select string_agg(n.text, E'\\n\\n' order by n.created_at, n.id) from member_notes n where n.user_id = u.id) as note,
    u.email_confirmed_at is not null and coalesce(p.drops, 'weekly') <> 'off' and not exists (
      select 1 from suppressions s where s.email = u.email and s.stream in ('all', 'drops') and s.lifted_at is null
    ) as subscribed_to_emails,
    coalesce(a.until > ${sql.raw(`'${now.toISOString()}'::timestamptz`)}, false) as complimentary_plan,
    coalesce(b.stripe_customer_id, i.stripe_customer_id) as stripe_customer_id,
    ${iso(sql`u.created_at`)} as created_at,
    (select string_agg(regexp_replace(t.tag, ', *', ' ', 'g'), ',' order by t.tag collate "C") from member_tags t where t.user_id = u.id) as labels,
    u.id, ${iso(sql`u.email_confirmed_at`)} as email_confirmed_at,
    coalesce(u.banned_until > ${sql.raw(`'${now.toISOString()}'::timestamptz`)}, false) as disabled,
    st.status as plan_status, st.product_id as plan_product_id, st.price_id as plan_price_id,
    ${iso(sql`st.entitled_until`)} as access_until, ${iso(sql`a.until`)} as complimentary_until,
    o.email as team_owner,
    coalesce(p.drops, 'weekly') as drops, coalesce(p.news, true) as news, coalesce(p.follow_ups, true) as follow_ups,
    ${newsletterNamesSql(sql`u.id`)} as newsletters,
    coalesce(p.allows_tracking, false) as tracking,
    f.focus_areas, f.ai_level, f.goals, f.franchise_type, v.values
  from auth.users u
    left join email_preferences p on p.user_id = u.id
    left join billing_customer b on b.user_id = u.id
    left join imported_stripe_customer i on i.user_id = u.id
    left join subscription_state st on st.user_id = u.id
    left join complimentary_access a on a.user_id = u.id
    left join user_preferences f on f.user_id = u.id
    left join custom_field_values v on v.user_id = u.id
    left join team_seat seat on seat.user_id = u.id
    left join auth.users o on o.id = seat.owner_id
  where u.deleted_at is null and u.email is not null
  order by u.id`
