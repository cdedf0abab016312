import type { SubmitEvent } from 'react'

/** What a field contains, without spaces around it. Empty for a field that the form doesn't have. */
type FieldText = (name: string) => string

/** Handles a form's submit event, unless the change that it makes is pending. */
export const submitHandler =
  (change: { isPending: boolean }, run: (text: FieldText, form: FormData) => unknown) =>
  (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (change.isPending) return
    const form = new FormData(event.currentTarget)
    run((name) => String(form.get(name) ?? '').trim(), form)
  }
