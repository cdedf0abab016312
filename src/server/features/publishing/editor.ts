import type { Actor } from '#server/features/auth/security/admin-event.ts'

/** Who writes. The address is shown to other editors; export and deletion go by the account. */
export type Editor = Actor

export const updatedBy = ({ userId, email }: Editor) => ({ updatedBy: email, updatedById: userId })
export const createdBy = ({ userId, email }: Editor) => ({ createdBy: email, createdById: userId })
