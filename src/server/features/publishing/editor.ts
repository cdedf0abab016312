import type { Actor } from '#server/features/auth/security/admin-event.ts'

/** Admin who edits. Other editors see the email; export and deletion use the account id. */
export type Editor = Actor

export const updatedBy = ({ userId, email }: Editor) => ({ updatedBy: email, updatedById: userId })
export const createdBy = ({ userId, email }: Editor) => ({ createdBy: email, createdById: userId })
