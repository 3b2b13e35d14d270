import { paths } from '../paths.ts'
import { Container } from './container.tsx'
import { Wordmark } from './mark.tsx'

/** The head of a page that stands by itself: the name of the product, which leads to the start. */
export function BrandHeader() {
  return (
    <header className="border-b border-rule">
      <Container className="flex h-15 items-center">
        <a href={paths.start} className="block w-fit">
          <Wordmark />
        </a>
      </Container>
    </header>
  )
}
