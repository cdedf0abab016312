/** The first validation message of a form's errors, in the order of the questions, and the field that it belongs to. */
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
