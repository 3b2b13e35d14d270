/** Says something above all else of a page that may have no app, as soon as there is a page. */
export function sayAbove(words: string): void {
  const say = () => {
    const note = document.createElement('p')
    note.className = 'm-4 rounded-control bg-paper-2 p-4 text-body'
    note.setAttribute('role', 'alert')
    note.textContent = words
    document.body.insertBefore(note, document.body.firstChild)
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', say)
  else say()
}
