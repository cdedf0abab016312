import { Upload } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { Button } from './button.tsx'

type FileButtonProps = {
  label: string
  /** The accessible name of the input. Default: the button's. */
  inputLabel?: string
  variant?: 'primary' | 'secondary'
  /** File types that the dialog offers; the server checks them. */
  accept: string
  pending: boolean
  onFile: (file: File) => void
}

/** Button that opens the file dialog. The input itself is hidden and not in the tab order. */
export function FileButton(props: FileButtonProps) {
  const { label, inputLabel = label, variant = 'secondary', accept, pending, onFile } = props
  const input = useRef<HTMLInputElement>(null)
  const handleChange = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // Choosing the same file again must fire another change event.
    event.target.value = ''
    if (file) onFile(file)
  }
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept={accept}
        onChange={handleChange}
        className="hidden"
        tabIndex={-1}
        aria-label={inputLabel}
      />
      <Button variant={variant} pending={pending} onClick={() => input.current?.click()}>
        <Upload aria-hidden className={variant === 'primary' ? 'size-5' : 'size-4'} strokeWidth={1.75} />
        {label}
      </Button>
    </div>
  )
}
