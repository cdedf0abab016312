import { count, desc, eq, getTableColumns } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { memberNotes } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { displayName, editorLabel } from '#server/features/identity/auth/security/editor.ts'
import { lockPresentUser } from '#server/features/identity/auth/users/lock-user.ts'
import { type MemberNote, maxNotesPerMember } from '#shared/contracts/operations/member-notes.ts'
import { AppError } from '#shared/errors.ts'

type NoteDeps = Pick<Deps, 'database' | 'clock'>

const columns = {
  ...getTableColumns(memberNotes),
  createdBy: editorLabel(memberNotes.createdBy, memberNotes.createdById),
  updatedBy: editorLabel(memberNotes.updatedBy, memberNotes.updatedById),
}

export async function listNotes(db: Db, userId: string): Promise<{ notes: MemberNote[] }> {
  const rows = await db
    .select(columns)
    .from(memberNotes)
    .where(eq(memberNotes.userId, userId))
    .orderBy(desc(memberNotes.createdAt), desc(memberNotes.id))
    .limit(maxNotesPerMember)
  return { notes: rows.map(toNote) }
}

type NewNote = { userId: string; id: string; text: string }

/** @throws AppError not_found; too_many_notes; edit_conflict if another note has this id */
export function addNote({ database, clock }: NoteDeps, who: Actor, { userId, id, text }: NewNote) {
  return database.db.transaction(async (tx) => {
    const about = await lockMember(tx, userId)
    const known = await findNote(tx, id)
    if (known && (known.userId !== userId || known.text !== text)) throw new AppError('edit_conflict')
    if (known) return { note: await readNote(tx, id) }
    const [notes] = await tx.select({ total: count() }).from(memberNotes).where(eq(memberNotes.userId, userId))
    if ((notes?.total ?? 0) >= maxNotesPerMember) throw new AppError('too_many_notes')
    const now = clock()
    const by = displayName(who.name, 'Staff')
    await tx.insert(memberNotes).values({
      id,
      userId,
      text,
      createdAt: now,
      createdBy: by,
      createdById: who.userId,
      updatedAt: now,
      updatedBy: by,
      updatedById: who.userId,
    })
    const changes = [{ field: 'note', before: null, after: text }]
    await recordAdminEvent(tx, who, { event: 'member_note_added', about, changes, now })
    return { note: await readNote(tx, id) }
  })
}

/** @throws AppError not_found; edit_conflict if the note has changed since `updatedAt` */
export function editNote(
  { database, clock }: NoteDeps,
  who: Actor,
  { id, text, updatedAt }: { id: string; text: string; updatedAt: string },
) {
  return database.db.transaction(async (tx) => {
    const before = await lockNote(tx, id)
    if (!before) throw new AppError('not_found')
    // A second click finds its own change.
    if (before.text === text) return { note: await readNote(tx, id) }
    if (before.updatedAt.toISOString() !== updatedAt) throw new AppError('edit_conflict')
    const about = await lockMember(tx, before.userId)
    const now = clock()
    const by = { updatedBy: displayName(who.name, 'Staff'), updatedById: who.userId }
    await tx
      .update(memberNotes)
      .set({ text, updatedAt: now, ...by })
      .where(eq(memberNotes.id, id))
    const changes = [{ field: 'note', before: before.text, after: text }]
    await recordAdminEvent(tx, who, { event: 'member_note_edited', about, changes, now })
    return { note: await readNote(tx, id) }
  })
}

export function deleteNote({ database, clock }: NoteDeps, who: Actor, { id }: { id: string }) {
  return database.db.transaction(async (tx) => {
    const before = await lockNote(tx, id)
    if (!before) return { deleted: false }
    const about = await lockMember(tx, before.userId)
    await tx.delete(memberNotes).where(eq(memberNotes.id, id))
    const changes = [{ field: 'note', before: before.text, after: null }]
    await recordAdminEvent(tx, who, { event: 'member_note_deleted', about, changes, now: clock() })
    return { deleted: true }
  })
}

/** @throws AppError not_found */
async function lockMember(tx: Tx, userId: string): Promise<{ userId: string; email: string }> {
  const { email } = await lockPresentUser(tx, userId)
  return { userId, email: email ?? '' }
}

const findNote = async (tx: Tx, id: string) =>
  (await tx.select().from(memberNotes).where(eq(memberNotes.id, id)))[0] ?? null

const lockNote = async (tx: Tx, id: string) =>
  (await tx.select().from(memberNotes).where(eq(memberNotes.id, id)).for('update'))[0] ?? null

async function readNote(tx: Tx, id: string): Promise<MemberNote> {
  const [row] = await tx.select(columns).from(memberNotes).where(eq(memberNotes.id, id))
  if (!row) throw new AppError('not_found')
  return toNote(row)
}

type NoteRow = Omit<typeof memberNotes.$inferSelect, 'createdBy' | 'updatedBy'> & Labels
type Labels = { createdBy: string | null; updatedBy: string | null }

const toNote = ({ id, text, createdAt, createdBy, updatedAt, updatedBy }: NoteRow): MemberNote => ({
  id,
  text,
  createdAt: createdAt.toISOString(),
  createdBy: createdBy ?? '',
  updatedAt: updatedAt.toISOString(),
  updatedBy: updatedBy ?? '',
})
