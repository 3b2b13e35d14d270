-- The last file that the sweep has looked at. "files_are_newer" is not read any more: it is dropped by a
-- later release, because the one before this still writes it while processes are replaced.
ALTER TABLE "installation" ADD COLUMN "swept_to" text;
