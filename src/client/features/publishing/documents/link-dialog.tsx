import { type SubmitEvent, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { linkWords, problemOfAddress } from './markdown-commands.ts'

type LinkDialogProps = {
  kind: 'link' | 'button'
  /** The selected text. */
  words: string
  /** Address of the link that is changed; null for a new one. */
  address?: string | null
  onInsert: (words: string, address: string) => void
  onRemove?: () => void
  onClose: () => void
}

/** Asks for the text and the address of a link or button. */
export function LinkDialog({
  kind,
  words: selected,
  address: written = null,
  onInsert,
  onRemove,
  onClose,
}: LinkDialogProps) {
  const [words, setWords] = useState(linkWords(selected))
  const [address, setAddress] = useState(written ?? '')
  const [isChecked, setIsChecked] = useState(false)
  const wordsProblem = linkWords(words) === '' ? 'Enter the text that readers see' : null
  const addressProblem = problemOfAddress(address)

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    if (wordsProblem || addressProblem) return
    onInsert(linkWords(words), address.trim())
  }

  const action = written !== null ? 'Save link' : kind === 'link' ? 'Insert link' : 'Insert button'
  const title = written !== null ? 'Edit the link' : kind === 'link' ? 'Insert a link' : 'Insert a button'

  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5" noValidate>
        <TextField
          label={kind === 'link' ? 'Link text' : 'Button text'}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          error={(isChecked && wordsProblem) || undefined}
          autoComplete="off"
        />
        <AddressField value={address} onChange={setAddress} error={(isChecked && addressProblem) || undefined} />
        <FormActions action={action} onCancel={onClose}>
          {written !== null && (
            <Button variant="secondary" onClick={onRemove}>
              Remove link
            </Button>
          )}
        </FormActions>
      </form>
    </Dialog>
  )
}

type AddressFieldProps = { label?: string; value: string; onChange: (value: string) => void; error: string | undefined }

export const AddressField = ({ label = 'Link address', value, onChange, error }: AddressFieldProps) => (
  <TextField
    label={label}
    hint="For example https://example.com or /portal/guides."
    inputMode="url"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    error={error}
  />
)
