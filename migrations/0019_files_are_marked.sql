-- Files and database belong together; see src/server/file-marks.ts.
ALTER TABLE "installation"
  -- When a place for the files was first marked as that of this database.
  ADD COLUMN "files_marked_at" timestamp with time zone,
  -- The newest moment of this database that was noted beside the files.
  ADD COLUMN "files_known_until" timestamp with time zone,
  -- Whether a newer moment than that stands beside the files: the database was restored.
  ADD COLUMN "files_are_newer" boolean NOT NULL DEFAULT false,
  ADD COLUMN "swept_at" timestamp with time zone;
