import { browserStorage } from "../browser-storage.js";
import { ProfileForm } from "./profile-form.js";

/** The form of this page: files that are dropped go into it, whether its panel is open or not. */
export const profileForm = new ProfileForm(browserStorage(), Math.floor(Date.now() / 1000));

addEventListener("storage", (event) => profileForm.hear(event));
