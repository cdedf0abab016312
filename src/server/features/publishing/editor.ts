/** Who writes. The address is shown to other editors; export and deletion go by the account. */
export type Editor = { userId: string; email: string }

export const updatedBy = ({ userId, email }: Editor) => ({ updatedBy: email, updatedById: userId })
export const createdBy = ({ userId, email }: Editor) => ({ createdBy: email, createdById: userId })
