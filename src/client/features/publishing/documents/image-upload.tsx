import { Upload } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { Button } from '#client/ui/button.tsx'
import { imageLimits } from '#shared/contracts/publishing/publishing-library.ts'

type FileButtonProps = {
  label: string
  /** File types that the dialog offers; the server checks them. */
  accept: string
  pending: boolean
  onFile: (file: File) => void
}

/** Button that opens the file dialog. The input itself is hidden and not in the tab order. */
export function FileButton({ label, accept, pending, onFile }: FileButtonProps) {
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
        aria-label={label}
      />
      <Button variant="secondary" pending={pending} onClick={() => input.current?.click()}>
        <Upload aria-hidden className="size-4" strokeWidth={1.75} />
        {label}
      </Button>
    </div>
  )
}

export function ImageUpload({ pending, onFile }: Pick<FileButtonProps, 'pending' | 'onFile'>) {
  return (
    <div className="grid gap-1.5">
      <FileButton
        label="Upload an image"
        accept="image/jpeg,image/png,image/webp,image/gif"
        pending={pending}
        onFile={onFile}
      />
      <p className="text-sm text-muted">
        JPEG, PNG, WebP or GIF, up to {imageLimits.bytes / 1024 / 1024} MB. Location and camera data are removed.
      </p>
    </div>
  )
}
