import { eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import type { Actor } from './admin-event.ts'

export type Editor = Actor

const maxNameLength = 100

/** The name that the person gave, else `fallback`. Never an email address. */
export function displayName(given: string | null | undefined, fallback = 'Editor'): string {
  const name = given?.trim().slice(0, maxNameLength) ?? ''
  return name === '' || name.includes('@') ? fallback : name
}

// Records of edits keep the account's id and a display name, so that a changed or deleted address leaves no trace.
export const updatedBy = ({ userId, name }: Editor) => ({ updatedBy: displayName(name), updatedById: userId })
export const createdBy = ({ userId, name }: Editor) => ({ createdBy: displayName(name), createdById: userId })

/** For a select list: the account's current address, or the stored display name once the account is deleted. */
export const editorLabel = (name: AnyPgColumn, id: AnyPgColumn): SQL<string | null> =>
  sql<string | null>`coalesce((select editor.email from auth.users editor where editor.id = ${id}), ${name})`

/** The same for a row that was read already. */
export async function readEditorLabel(db: Db | Tx, name: string | null, userId: string | null): Promise<string | null> {
  if (!userId) return name
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return user?.email ?? name
}
