/** The script of a task, served as it is: says that it was opened, and shrinks a photo before it is sent. */
const { open } = document.querySelector('.task').dataset
const tell = (name) => navigator.sendBeacon(open, new URLSearchParams({ name }))

/** Only someone's touch counts as opening, not a scanner that loads the page. */
const stop = new AbortController()
for (const event of ['pointerdown', 'keydown', 'scroll']) {
  const handle = () => {
    stop.abort()
    tell('')
  }
  addEventListener(event, handle, { signal: stop.signal, passive: true })
}

/** As the server keeps it. */
const maxSide = 1280

/** Also leaves out what the camera added, such as the place. A file that isn't a picture stays as it is. */
async function shrink(file) {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height))
  const canvas = Object.assign(document.createElement('canvas'), {
    width: Math.round(picture.width * scale),
    height: Math.round(picture.height * scale),
  })
  canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8))
  return new File([blob], 'photo.jpg', { type: 'image/jpeg' })
}

for (const form of document.querySelectorAll('form[method=post]')) {
  form.elements.name.addEventListener('change', ({ target }) => tell(target.value))
  form.addEventListener('submit', () => form.setAttribute('aria-busy', 'true'))
}

/** One tap takes a photo and checks off. */
const input = document.querySelector('.check-off [type=file]')
if (input) {
  const form = input.form
  const label = input.closest('label')
  label.classList.add('button', 'secondary')
  label.querySelector('span').textContent = input.dataset.button
  input.addEventListener('change', async () => {
    const [file] = input.files
    if (!file) return
    const small = await shrink(file).catch(() => null)
    if (small) {
      const files = new DataTransfer()
      files.items.add(small)
      input.files = files.files
    }
    form.requestSubmit(form.querySelector('[value=done]'))
  })
}
