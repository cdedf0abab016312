import { sql } from 'drizzle-orm'
import { index, jsonb, uuid, varchar } from 'drizzle-orm/pg-core'
import { auth } from './auth-users.ts'
import { instant } from './columns.ts'

export const auditLogEntries = auth.table(
  'audit_log_entries',
  {
    instanceId: uuid('instance_id'),
    id: uuid('id').primaryKey(),
    payload: jsonb('payload'),
    createdAt: instant('created_at'),
    ipAddress: varchar('ip_address', { length: 64 }).notNull().default(''),
  },
  (t) => [
    index('audit_log_entries_created_at_idx').on(t.createdAt),
    // Keyset pages, newest first: all entries, by account, by event type.
    index('audit_log_entries_created_at_id_idx').on(t.createdAt.desc(), t.id.desc()),
    index('audit_log_entries_user_idx').on(sql`(payload ->> 'user_id')`, t.createdAt.desc(), t.id.desc()),
    index('audit_log_entries_action_idx').on(sql`(payload ->> 'action')`, t.createdAt.desc(), t.id.desc()),
    index('audit_log_entries_actor_idx')
      .on(sql`(payload ->> 'actor_id')`, t.createdAt.desc(), t.id.desc())
      .where(sql`payload ->> 'actor_id' is not null`),
    // Finds the acts of staff among an account's thousands of sign-ins.
    index('audit_log_entries_staff_idx')
      .on(sql`(payload ->> 'user_id')`, t.createdAt.desc(), t.id.desc())
      .where(sql`payload ->> 'by' is not null`),
    // Finds the changes of an account's access.
    index('audit_log_entries_access_idx')
      .on(sql`(payload ->> 'user_id')`, t.createdAt.desc(), t.id.desc())
      .where(
        sql`payload ->> 'action' in ('access_granted', 'access_revoked', 'team_joined', 'team_left', 'team_removed', 'account_disabled', 'account_enabled')`,
      ),
    // Finds the entry of a deleted account by the hash of its address.
    index('audit_log_entries_email_hash_idx')
      .on(sql`(payload ->> 'email_hash')`)
      .where(sql`payload ->> 'email_hash' is not null`),
  ],
)
