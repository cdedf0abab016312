import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { memberImportSteps } from '#server/features/operations/member-import/run-import.ts'
import { continueRun } from '#server/jobs/runs.ts'
import type {
  ImportCounts,
  ImportExample,
  ImportOptions,
  MemberImport,
} from '#shared/contracts/operations/member-import.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'

export const defaultOptions: ImportOptions = {
  fillExisting: false,
  unsubscribeExisting: false,
  complimentaryUntil: null,
  vouchConfirmed: false,
  invite: false,
  tag: null,
}

/** Goes on with a check or an import until it ends. */
export const runImport = (deps: TestApp['deps'], id: string, batchSize?: number) =>
  continueRun(deps, memberImportSteps(deps, batchSize), id)

export async function upload(server: TestApp, admin: TestUser, file: string | Uint8Array, name = 'members.csv') {
  const body = new Uint8Array(typeof file === 'string' ? Buffer.from(file) : file)
  const answer = await server.request(`/functions/v1/admin-upload-members?${new URLSearchParams({ name })}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin.token}`, 'Content-Length': String(body.byteLength) },
    body,
  })
  return { status: answer.status, body: (await answer.json()) as MemberImport & { error?: string } }
}

async function ask(server: TestApp, admin: TestUser, name: string, body: object) {
  const answer = await call(server, name, body, admin.token)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body as unknown as MemberImport
}

type CheckedImport = MemberImport & { counts: ImportCounts; examples: ImportExample[] }

/** Uploads a file and makes the dry run. */
export async function check(
  server: TestApp,
  admin: TestUser,
  file: string | Uint8Array,
  options: Partial<ImportOptions> = {},
): Promise<CheckedImport> {
  const { status, body } = await upload(server, admin, file)
  expect(status, JSON.stringify(body)).toBe(200)
  const { id, source, mapping } = body
  await ask(server, admin, 'admin-check-members', { id, source, mapping, options: { ...defaultOptions, ...options } })
  await runImport(server.deps, id)
  return (await ask(server, admin, 'admin-member-import', { id })) as CheckedImport
}

/** Imports what was checked. */
export async function run(server: TestApp, admin: TestUser, { id }: { id: string }) {
  await ask(server, admin, 'admin-import-members', { id })
  await runImport(server.deps, id)
  return (await ask(server, admin, 'admin-member-import', { id })) as MemberImport & { counts: ImportCounts }
}

export async function errorsOf(server: TestApp, admin: TestUser, { id }: { id: string }): Promise<string[]> {
  const { csv } = (await ask(server, admin, 'admin-member-import-errors', { id })) as unknown as { csv: string }
  return csv.trim().split('\r\n').slice(1)
}

/** All that an import writes about addresses that contain `part`, without ids and times of writing. */
export const storedMembers = (server: TestApp, part: string) =>
  queryRows<Record<string, unknown> & { email: string }>(
    server.database.db,
    sql`select u.email, u.raw_user_meta_data ->> 'full_name' as name, u.created_at::text as joined,
        u.email_confirmed_at is not null as confirmed, u.encrypted_password is null as "hasNoPassword",
        (select count(*)::int from auth.identities i where i.user_id = u.id) as identities,
        coalesce(p.drops <> 'off' or p.news or p.follow_ups, true) as "getsEmail",
        array(select s.stream || ' ' || s.reason from suppressions s where s.email = u.email and s.lifted_at is null order by 1) as suppressed,
        array(select t.tag from member_tags t where t.user_id = u.id order by 1) as tags,
        array(select n.text from member_notes n where n.user_id = u.id order by 1) as notes,
        b.values as answers, c.until::date::text as complimentary, i.stripe_customer_id as customer,
        array(select e.payload ->> 'action' from auth.audit_log_entries e where e.payload ->> 'user_id' = u.id::text order by 1) as events
      from auth.users u
      left join email_preferences p on p.user_id = u.id
      left join business_profile b on b.user_id = u.id
      left join complimentary_access c on c.user_id = u.id
      left join imported_stripe_customer i on i.user_id = u.id
      where strpos(u.email, ${part}) > 0 order by u.email`,
  )
