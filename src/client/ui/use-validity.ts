import { type FormEvent, useState } from 'react'
import { validityMessage } from './validity-message.ts'

const controls = 'input:invalid, select:invalid, textarea:invalid'
const isControl = (target: EventTarget) =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement

/**
 * Shows the browser's constraint validation as text below the field instead of in the browser's bubble. Spread the
 * handlers on an element around the control.
 */
export function useValidity() {
  const [invalid, setInvalid] = useState('')

  const handleInvalid = (event: FormEvent) => {
    const { target } = event
    if (!isControl(target)) return
    // Preventing the bubble also prevents the browser from focusing the first invalid field.
    event.preventDefault()
    setInvalid(validityMessage(target))
    if (!target.form || target.form.querySelector(controls) === target) target.focus()
  }
  const handleInput = ({ target }: FormEvent) => {
    if (invalid && isControl(target)) setInvalid(validityMessage(target))
  }
  return { invalid, onInvalidCapture: handleInvalid, onInputCapture: handleInput }
}
