import { paths } from '#web/paths.ts'

import { LegalPage } from './legal-page.tsx'
import text from './terms.md?raw'

export default function TermsPage() {
  return <LegalPage path={paths.terms} text={text} />
}
