/** The first validation message in question order, with its field. */
export function firstMessage<Field extends string>(
  errors: { [F in Field]?: { message?: string } | undefined },
  order: readonly Field[],
): { field: Field; message: string } | null {
  for (const field of order) {
    const message = errors[field]?.message
    if (message) return { field, message }
  }
  return null
}
