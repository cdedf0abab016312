import { type FormEvent, useState } from 'react'
import { validityMessage } from './validity-message.ts'

const controls = 'input:invalid, select:invalid, textarea:invalid'
const isControl = (target: EventTarget) =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement

/**
 * The browser checks a form before it is sent; this says the result by the field, in the page's words, in place of the
 * browser's own bubble. Spread the handlers on the element around the control.
 */
export function useValidity() {
  const [invalid, setInvalid] = useState('')

  const handleInvalid = (event: FormEvent) => {
    const { target } = event
    if (!isControl(target)) return
    // Without its bubble the browser doesn't move the focus either: it goes to the first field that needs attention.
    event.preventDefault()
    setInvalid(validityMessage(target))
    if (!target.form || target.form.querySelector(controls) === target) target.focus()
  }
  const handleInput = ({ target }: FormEvent) => {
    if (invalid && isControl(target)) setInvalid(validityMessage(target))
  }
  return { invalid, onInvalidCapture: handleInvalid, onInputCapture: handleInput }
}
