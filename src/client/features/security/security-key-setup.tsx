import { toast } from '#client/lib/toast.ts'
import { Panel } from '#client/ui/panel.tsx'
import { ceremonyErrorMessage } from '../passkeys/ceremony-error.ts'
import { NameForm } from './name-form.tsx'
import { useAddSecurityKey } from './security.api.ts'

/** A key on the key ring (or in the laptop) as the second step, after the password. */
export function SecurityKeySetup({ suggestedName, onClose }: { suggestedName: string; onClose: () => void }) {
  const add = useAddSecurityKey()
  const handleName = (name: string) =>
    add.mutate(name, {
      onSuccess: () => {
        toast.success('Your security key is set up', { description: 'It is asked for from the next sign-in on.' })
        onClose()
      },
    })
  return (
    <Panel label="Add a security key">
      <NameForm
        title="Add a security key"
        hint="How you will know it later. Your browser asks for the key next."
        suggestion={suggestedName}
        action="Continue"
        pending={add.isPending}
        problem={ceremonyErrorMessage(add.error)}
        onName={handleName}
        onClose={onClose}
      />
    </Panel>
  )
}
