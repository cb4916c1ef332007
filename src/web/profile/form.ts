import { ProfileForm } from "./profile-form.js";

/** The form of this page: files that are dropped go into it, whether its panel is open or not. */
export const profileForm = new ProfileForm(localStorage, Math.floor(Date.now() / 1000));
