/** The parts of a form control that messages need. Unset limits are -1 or empty. */
export type Control = {
  validity: Pick<
    ValidityState,
    'valid' | 'valueMissing' | 'typeMismatch' | 'tooShort' | 'tooLong' | 'rangeUnderflow' | 'rangeOverflow'
  >
  type: string
  validationMessage: string
  minLength?: number
  maxLength?: number
  min?: string
  max?: string
}

const characters = (count: number) => `${count} ${count === 1 ? 'character' : 'characters'}`

/** Explains what to change in an invalid field; empty for a valid one. Falls back to the browser's message. */
export function validityMessage(control: Control): string {
  const { validity, type, minLength, maxLength, min, max } = control
  if (validity.valid) return ''
  if (validity.valueMissing) {
    if (type === 'email') return 'Enter your email address.'
    if (type === 'password') return 'Enter your password.'
    return type === 'checkbox' || type.startsWith('select') ? 'Choose an option.' : 'Fill in this field.'
  }
  if (validity.typeMismatch) {
    return type === 'email' ? 'Enter an email address such as name@example.com.' : control.validationMessage
  }
  if (validity.tooShort) return `Use at least ${characters(minLength ?? 0)}.`
  if (validity.tooLong) return `Use at most ${characters(maxLength ?? 0)}.`
  if (validity.rangeUnderflow) return `Enter ${min} or more.`
  if (validity.rangeOverflow) return `Enter ${max} or less.`
  return control.validationMessage
}
